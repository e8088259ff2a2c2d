"""Boolean masks, rows that they select, and experts."""
