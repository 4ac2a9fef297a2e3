-- Version 1 of a hub: entries of workspaces, appended by functions and never changed, except that `erase` removes a
-- text. Members have no right to write a table; the owner of this schema runs the functions.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cuedeck_member') THEN
        CREATE ROLE cuedeck_member NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cuedeck_admin') THEN
        CREATE ROLE cuedeck_admin NOLOGIN;
        GRANT cuedeck_member TO cuedeck_admin;
    END IF;
END
$$;

CREATE SCHEMA cuedeck;

-- One row. The id differs for each hub, so that copies notice another one in its place.
CREATE TABLE cuedeck.hub (id uuid NOT NULL DEFAULT gen_random_uuid(), version int NOT NULL);
INSERT INTO cuedeck.hub (version) VALUES (0);

-- `last` is raised before rows are inserted, in the same transaction: a reader that sees a number has seen all below.
CREATE TABLE cuedeck.workspaces (id text PRIMARY KEY, team text NOT NULL, last bigint NOT NULL DEFAULT 0);

-- A member of a workspace reads it whole. A member of a team also reads decisions and experiences of its workspaces.
CREATE TABLE cuedeck.members (login text, workspace text REFERENCES cuedeck.workspaces, PRIMARY KEY (login, workspace));
CREATE TABLE cuedeck.teams (login text, team text CHECK (team <> ''), PRIMARY KEY (login, team));

CREATE TABLE cuedeck.entries (
    workspace text NOT NULL,
    seq bigint NOT NULL,
    id text NOT NULL CHECK (length(id) <= 200),
    hash bytea NOT NULL,
    team text NOT NULL,
    kind text NOT NULL,
    login text NOT NULL,
    machine text NOT NULL CHECK (length(machine) <= 100),
    clock bigint NOT NULL,
    body text NOT NULL CHECK (octet_length(body) <= 262144),
    PRIMARY KEY (workspace, id, hash)
) PARTITION BY HASH (workspace);
CREATE UNIQUE INDEX entries_seq ON cuedeck.entries (workspace, seq);

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format(
            'CREATE TABLE cuedeck.entries_%s PARTITION OF cuedeck.entries FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
            part, part);
    END LOOP;
END
$$;

CREATE FUNCTION cuedeck.is_admin() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT pg_has_role(session_user, 'cuedeck_admin', 'MEMBER') $$;

CREATE FUNCTION cuedeck.may_read(the_workspace text, the_team text, the_kind text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    SELECT EXISTS (SELECT FROM cuedeck.members WHERE login = session_user AND workspace = the_workspace)
        OR the_kind IN ('decision', 'experience')
        AND EXISTS (SELECT FROM cuedeck.teams WHERE login = session_user AND team = the_team)
$$;

ALTER TABLE cuedeck.entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON cuedeck.entries FOR SELECT TO cuedeck_member
    USING (cuedeck.may_read(workspace, team, kind));

CREATE FUNCTION cuedeck.require_member(the_workspace text) RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM cuedeck.members WHERE login = session_user AND workspace = the_workspace) THEN
        RAISE EXCEPTION 'login % is not a member of workspace %', session_user, the_workspace USING ERRCODE = 'CD001';
    END IF;
END
$$;

-- Creates a workspace on its first exchange; its creator becomes a member.
CREATE FUNCTION cuedeck.register(the_workspace text, the_team text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    created int;
BEGIN
    IF the_team <> '' AND NOT EXISTS (SELECT FROM cuedeck.teams WHERE login = session_user AND team = the_team) THEN
        RAISE EXCEPTION 'login % is not a member of team %', session_user, the_team USING ERRCODE = 'CD001';
    END IF;
    INSERT INTO cuedeck.workspaces (id, team) VALUES (the_workspace, the_team) ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS created = ROW_COUNT;
    IF created > 0 THEN
        INSERT INTO cuedeck.members VALUES (session_user, the_workspace);
    END IF;
    PERFORM cuedeck.require_member(the_workspace);
END
$$;

-- State of the hub, and the last number of the workspace and of the others of its team.
CREATE FUNCTION cuedeck.heads(the_workspace text)
RETURNS TABLE (hub uuid, version int, now_us bigint, workspace text, last bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    the_team text;
BEGIN
    PERFORM cuedeck.require_member(the_workspace);
    SELECT w.team INTO the_team FROM cuedeck.workspaces w
        WHERE w.id = the_workspace AND w.team IN (SELECT t.team FROM cuedeck.teams t WHERE t.login = session_user);
    RETURN QUERY SELECT h.id, h.version, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, w.id, w.last
        FROM cuedeck.hub h, cuedeck.workspaces w WHERE w.id = the_workspace OR w.team = the_team;
END
$$;

CREATE FUNCTION cuedeck.pull(the_workspace text, after bigint, most int)
RETURNS TABLE (seq bigint, id text, hash bytea, body text, clock bigint, author text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    is_whole boolean := EXISTS (SELECT FROM cuedeck.members WHERE login = session_user AND workspace = the_workspace);
BEGIN
    IF NOT is_whole AND NOT EXISTS (
        SELECT FROM cuedeck.workspaces w JOIN cuedeck.teams t USING (team)
        WHERE w.id = the_workspace AND t.login = session_user) THEN
        PERFORM cuedeck.require_member(the_workspace);
    END IF;
    RETURN QUERY SELECT e.seq, e.id, e.hash, e.body, e.clock, e.login || '@' || e.machine FROM cuedeck.entries e
        WHERE e.workspace = the_workspace AND e.seq > after AND (is_whole OR e.kind IN ('decision', 'experience'))
        ORDER BY e.seq LIMIT least(most, 10000);
END
$$;

-- Appends entries; those that the hub has stay as they are. A time is at most a minute after that of the hub.
CREATE FUNCTION cuedeck.append(the_workspace text, the_machine text, ids text[], clocks bigint[], bodies text[])
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    first bigint;
    the_team text;
    now_us bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    added bigint;
BEGIN
    PERFORM cuedeck.require_member(the_workspace);
    UPDATE cuedeck.workspaces SET last = last + cardinality(ids) WHERE id = the_workspace
        RETURNING last - cardinality(ids), team INTO first, the_team;
    INSERT INTO cuedeck.entries
        SELECT the_workspace, first + given.n, given.id, sha256(convert_to(given.body, 'UTF8')), the_team,
            split_part(given.id, ':', 1), session_user, the_machine,
            CASE WHEN given.clock = 0 THEN now_us ELSE least(given.clock, now_us + 60000000) END, given.body
        FROM unnest(ids, clocks, bodies) WITH ORDINALITY AS given (id, clock, body, n)
        WHERE given.body <> ''
        ON CONFLICT (workspace, id, hash) DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    RETURN added;
END
$$;

-- Removes the text of an entry, for its author or an administrator. The row gets a new number: all copies receive it.
CREATE FUNCTION cuedeck.erase(the_workspace text, the_id text, the_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    next bigint;
BEGIN
    IF NOT cuedeck.is_admin() THEN
        PERFORM cuedeck.require_member(the_workspace);
    END IF;
    UPDATE cuedeck.workspaces SET last = last + 1 WHERE id = the_workspace RETURNING last INTO next;
    UPDATE cuedeck.entries SET body = '', seq = next
        WHERE workspace = the_workspace AND id = the_id AND hash = the_hash AND body <> ''
        AND (login = session_user OR cuedeck.is_admin());
    RETURN FOUND;
END
$$;

-- For administrators: members of workspaces and teams, and the id of a hub that was restored from a backup.
CREATE FUNCTION cuedeck.admit(the_login text, the_workspace text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ INSERT INTO cuedeck.members VALUES (the_login, the_workspace) ON CONFLICT DO NOTHING $$;

CREATE FUNCTION cuedeck.admit_to_team(the_login text, the_team text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ INSERT INTO cuedeck.teams VALUES (the_login, the_team) ON CONFLICT DO NOTHING $$;

CREATE FUNCTION cuedeck.dismiss(the_login text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM cuedeck.members WHERE login = the_login;
    DELETE FROM cuedeck.teams WHERE login = the_login;
$$;

CREATE FUNCTION cuedeck.renew() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ UPDATE cuedeck.hub SET id = gen_random_uuid() $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA cuedeck FROM PUBLIC;
GRANT USAGE ON SCHEMA cuedeck TO cuedeck_member;
GRANT SELECT ON cuedeck.entries TO cuedeck_member;
GRANT EXECUTE ON FUNCTION cuedeck.register, cuedeck.heads, cuedeck.pull, cuedeck.append, cuedeck.erase,
    cuedeck.may_read TO cuedeck_member;
GRANT EXECUTE ON FUNCTION cuedeck.admit, cuedeck.admit_to_team, cuedeck.dismiss, cuedeck.renew TO cuedeck_admin;
