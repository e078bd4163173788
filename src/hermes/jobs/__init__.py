"""Background work: jobs with leases, the worker that does them, and what plans them.

Nothing here knows what the work is about but `jobs.tasks`, and nothing knows processes or signals.
"""
