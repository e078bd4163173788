"""What is kept, distilled and given back."""
