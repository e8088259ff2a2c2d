"""Boolean masks, the rows that they select, and experts."""
