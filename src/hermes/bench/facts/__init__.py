"""A labelled set of chats for fact extraction, its loader and its scorer.

It knows nothing of how facts are extracted: what is measured must not shape the measure.
"""
