/**
 * Functions of schema 1. They make a decision durable in one round trip: the client sends a batch
 * and gets back its place in the feed, or null when somebody else was faster.
 */
export const firstFunctions: readonly string[] = [
  // Places sort as text, first by transaction, then by row.
  `CREATE FUNCTION statewright_place(xid xid8, place bigint) RETURNS text
    LANGUAGE sql STABLE AS $body$
      SELECT lpad(xid::text, 20, '0') || '-' || lpad(place::text, 19, '0')
    $body$`,

  `CREATE FUNCTION statewright_write(
    p_new json, p_run text, p_after bigint, p_last bigint, p_chain text,
    p_status text, p_state text, p_updated_at bigint, p_calls bigint, p_denials bigint,
    p_transitions bigint, p_cost_micros bigint,
    p_seqs bigint[], p_hashes text[], p_call_ids text[], p_entries text[],
    p_snapshot text, p_more json
  ) RETURNS text LANGUAGE plpgsql AS $body$
  DECLARE
    at text;
  BEGIN
    IF p_new IS NULL THEN
      UPDATE runs SET status = p_status, state = p_state, seq = p_last, chain = p_chain,
        updated_at = p_updated_at, calls = p_calls, denials = p_denials,
        transitions = p_transitions, cost_micros = p_cost_micros
        WHERE run_id = p_run AND seq = p_after;
    ELSE
      INSERT INTO runs (run_id, workflow, kind, hash, version, project, workspace, session, owner,
        role, client, locked, created_at, status, state, seq, chain, updated_at, calls, denials,
        transitions, cost_micros)
      SELECT p_run, workflow, kind, hash, version, project, workspace, session, owner, role, client,
        locked, created_at, p_status, p_state, p_last, p_chain, p_updated_at, p_calls, p_denials,
        p_transitions, p_cost_micros
      FROM json_to_record(p_new) AS new (workflow text, kind text, hash text, version bigint,
        project text, workspace text, session text, owner text, role text, client text,
        locked bigint, created_at bigint)
      ON CONFLICT (run_id) DO NOTHING;
    END IF;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;

    WITH added AS (
      INSERT INTO entries (run_id, seq, hash, call_id, entry)
      SELECT p_run, new.seq, new.hash, new.call_id, new.entry
      FROM unnest(p_seqs, p_hashes, p_call_ids, p_entries) AS new (seq, hash, call_id, entry)
      ORDER BY new.seq
      RETURNING xid, place
    )
    SELECT statewright_place(xid, place) INTO at FROM added ORDER BY place DESC LIMIT 1;

    IF p_snapshot IS NOT NULL THEN
      INSERT INTO snapshots (run_id, seq, body) VALUES (p_run, p_last, p_snapshot)
      ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, body = excluded.body;
    END IF;
    IF p_more IS NOT NULL THEN
      PERFORM statewright_write_more(p_run, p_more);
    END IF;
    PERFORM pg_notify('statewright', left(p_run, 1000));
    RETURN at;
  END
  $body$`,

  // What only some batches hold: approvals, raw inputs and outputs, counters.
  `CREATE FUNCTION statewright_write_more(p_run text, p_more json) RETURNS void
  LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO approvals (approval_id, run_id, kind, message, opened_at, expires_at, details,
      status)
    SELECT approval_id, run_id, kind, message, opened_at, expires_at, details, 'waiting'
    FROM json_to_recordset(p_more -> 'opened') AS new (approval_id text, run_id text, kind text,
      message text, opened_at bigint, expires_at bigint, details text);

    UPDATE approvals SET status = closed.verdict, resolved_at = closed.at,
      resolved_by = closed.by, note = closed.note
    FROM json_to_recordset(p_more -> 'closed') AS closed (approval_id text, verdict text,
      at bigint, by text, note text)
    WHERE approvals.approval_id = closed.approval_id AND approvals.status = 'waiting';

    INSERT INTO blobs (run_id, call_id, what, hash, body)
    SELECT p_run, call_id, what, hash, body
    FROM json_to_recordset(p_more -> 'blobs') AS new (call_id text, what text, hash text, body text)
    ON CONFLICT (run_id, call_id, what) DO UPDATE SET hash = excluded.hash, body = excluded.body;

    UPDATE counters SET last_number = new.number, last_at = new.at
    FROM json_to_recordset(p_more -> 'rates') AS new (key text, number bigint, at bigint)
    WHERE counters.key = new.key;
    INSERT INTO rate_calls (key, at, number)
    SELECT key, at, number
    FROM json_to_recordset(p_more -> 'rates') AS new (key text, number bigint, at bigint);
    DELETE FROM rate_calls
    USING json_to_recordset(p_more -> 'rates') AS new (key text, dead_until bigint)
    WHERE rate_calls.key = new.key AND rate_calls.at <= new.dead_until;

    UPDATE counters SET period = new.period, last_at = new.at, budget = new.budget
    FROM json_to_recordset(p_more -> 'budgets')
      AS new (key text, period text, at bigint, budget text)
    WHERE counters.key = new.key;
    DELETE FROM reservations WHERE call_key = p_more ->> 'settled';
    DELETE FROM reservations WHERE expires_at < (p_more ->> 'forgotten')::bigint;
    INSERT INTO reservations (call_key, key, expires_at)
    SELECT call_key, key, expires_at FROM json_to_recordset(p_more -> 'reserved')
      AS new (call_key text, key text, expires_at bigint)
    ON CONFLICT (call_key, key) DO UPDATE SET expires_at = excluded.expires_at;
  END
  $body$`,

  // Reads counters at the database's own time, and holds them until the transaction ends when
  // they are to be taken. Keys are locked in one order, so that two batches cannot wait for
  // each other.
  `CREATE FUNCTION statewright_counters(
    p_keys text[], p_windows bigint[], p_maxes bigint[], p_call text, p_now bigint, p_lock boolean
  ) RETURNS TABLE (
    key text, now_at bigint, last_number bigint, last_at bigint, period text, budget text,
    first_number bigint, leaver_at bigint
  ) LANGUAGE plpgsql AS $body$
  #variable_conflict use_column
  DECLARE
    wanted text[];
    clock bigint;
  BEGIN
    wanted := p_keys || ARRAY(SELECT r.key FROM reservations r WHERE r.call_key = p_call);
    IF p_lock THEN
      INSERT INTO counters (key, last_number, last_at)
      SELECT DISTINCT new.key, 0, 0 FROM unnest(p_keys) AS new (key) ORDER BY 1
      ON CONFLICT DO NOTHING;
      PERFORM 1 FROM counters c WHERE c.key = ANY (wanted) ORDER BY c.key FOR UPDATE;
    END IF;
    clock := coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    RETURN QUERY
    SELECT c.key, clock, c.last_number, c.last_at, c.period, c.budget, first.number, leaver.at
    FROM (SELECT DISTINCT unnest(wanted) AS key) AS asked
    LEFT JOIN unnest(p_keys, p_windows, p_maxes) AS rate (key, window_ms, max_calls)
      ON rate.key = asked.key
    LEFT JOIN counters c ON c.key = asked.key
    LEFT JOIN LATERAL (
      SELECT r.number FROM rate_calls r
      WHERE r.key = c.key AND r.at > greatest(clock, c.last_at) - rate.window_ms
      ORDER BY r.at, r.number LIMIT 1
    ) AS first ON true
    LEFT JOIN LATERAL (
      SELECT r.at FROM rate_calls r
      WHERE r.key = c.key AND r.at > greatest(clock, c.last_at) - rate.window_ms
        AND c.last_number - first.number + 1 >= rate.max_calls
      ORDER BY r.at, r.number LIMIT 1
      OFFSET greatest(c.last_number - first.number + 1 - rate.max_calls, 0)
    ) AS leaver ON true;
  END
  $body$`,
]

/** The function of schema 8: marks a run whose batch was written, as lists show it. */
export const markFunctions: readonly string[] = [
  `CREATE FUNCTION statewright_marked(
    p_feed_at text, p_run text, p_passed bigint, p_unguarded bigint
  ) RETURNS text LANGUAGE plpgsql AS $body$
  BEGIN
    IF p_feed_at IS NOT NULL THEN
      UPDATE runs SET passed = p_passed, unguarded = p_unguarded WHERE run_id = p_run;
    END IF;
    RETURN p_feed_at;
  END
  $body$`,
]
