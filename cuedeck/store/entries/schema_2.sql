-- Version 2: words of the entries, and their search. Row-level security alone would keep the index from being used.
ALTER TABLE cuedeck.entries ADD COLUMN words tsvector
    GENERATED ALWAYS AS (to_tsvector('simple', left(body, 100000))) STORED;
CREATE INDEX entries_words ON cuedeck.entries USING gin (words);

CREATE FUNCTION cuedeck.search(the_workspace text, query text, most int)
RETURNS TABLE (id text, body text, author text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
    PERFORM cuedeck.require_member(the_workspace);
    -- Materialised, so that the words are found by their index and not by a scan in the order of numbers.
    RETURN QUERY WITH found AS MATERIALIZED (
        SELECT e.id, e.body, e.login || '@' || e.machine AS author, e.seq FROM cuedeck.entries e
        WHERE e.workspace = the_workspace AND e.words @@ plainto_tsquery('simple', query))
        SELECT found.id, found.body, found.author FROM found ORDER BY found.seq DESC LIMIT least(most, 100);
END
$$;

REVOKE ALL ON FUNCTION cuedeck.search FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cuedeck.search TO cuedeck_member;
