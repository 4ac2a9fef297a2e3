"""One module for each capability. Values in, values out; shells print them."""
