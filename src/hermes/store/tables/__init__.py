"""What a group of rows means, told once; a store adds the SQL in which it differs."""
