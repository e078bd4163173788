"""What goes over the wire: the shapes of the REST API, shared by the server and the client.

Shape and limits only. What each value means stands in `hermes.types`; the words are those of the
JSON the command line prints.
"""
