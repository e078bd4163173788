"""The passes of recall: each finds candidates in its own way, all with the same signature.

A pass takes the evidence and how many to give, and answers with ranked `Hits`. It filters nothing
for the others: an item found by any pass is a candidate.
"""
