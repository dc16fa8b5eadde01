/**
 * The function of schema 16: as before, but looks only at what a batch holds. Nearly every one
 * holds a raw input and nothing else, and eleven statements about nothing cost more than that.
 */
export const sparingFunctions: readonly string[] = [
  `CREATE OR REPLACE FUNCTION statewright_write_more(p_run text, p_more json) RETURNS void
  LANGUAGE plpgsql AS $body$
  DECLARE
    part record;
  BEGIN
    -- One after the other as they are sent: a reservation is settled before new ones are made.
    FOR part IN SELECT key, value FROM json_each(p_more) LOOP
      IF part.key = 'settled' THEN
        DELETE FROM reservations WHERE call_key = part.value #>> '{}';
      ELSIF part.key = 'forgotten' THEN
        DELETE FROM reservations WHERE expires_at < (part.value #>> '{}')::bigint;
      ELSIF json_array_length(part.value) = 0 THEN
        CONTINUE;
      ELSIF part.key = 'blobs' THEN
        INSERT INTO blobs (run_id, call_id, what, hash, body)
        SELECT p_run, call_id, what, hash, body
        FROM json_to_recordset(part.value)
          AS new (call_id text, what text, hash text, body text)
        ON CONFLICT (run_id, call_id, what)
          DO UPDATE SET hash = excluded.hash, body = excluded.body;
      ELSIF part.key = 'opened' THEN
        INSERT INTO approvals (approval_id, run_id, kind, message, opened_at, expires_at, details,
          status)
        SELECT approval_id, run_id, kind, message, opened_at, expires_at, details, 'waiting'
        FROM json_to_recordset(part.value) AS new (approval_id text, run_id text, kind text,
          message text, opened_at bigint, expires_at bigint, details text);
      ELSIF part.key = 'closed' THEN
        UPDATE approvals SET status = closed.verdict, resolved_at = closed.at,
          resolved_by = closed.by, note = closed.note
        FROM json_to_recordset(part.value) AS closed (approval_id text, verdict text,
          at bigint, by text, note text)
        WHERE approvals.approval_id = closed.approval_id AND approvals.status = 'waiting';
      ELSIF part.key = 'rates' THEN
        UPDATE counters SET last_number = new.number, last_at = new.at
        FROM json_to_recordset(part.value) AS new (key text, number bigint, at bigint)
        WHERE counters.key = new.key;
        INSERT INTO rate_calls (key, at, number)
        SELECT key, at, number
        FROM json_to_recordset(part.value) AS new (key text, number bigint, at bigint);
        DELETE FROM rate_calls
        USING json_to_recordset(part.value) AS new (key text, dead_until bigint)
        WHERE rate_calls.key = new.key AND rate_calls.at <= new.dead_until;
      ELSIF part.key = 'budgets' THEN
        UPDATE counters SET period = new.period, last_at = new.at, budget = new.budget
        FROM json_to_recordset(part.value)
          AS new (key text, period text, at bigint, budget text)
        WHERE counters.key = new.key;
      ELSIF part.key = 'reserved' THEN
        INSERT INTO reservations (call_key, key, expires_at)
        SELECT call_key, key, expires_at FROM json_to_recordset(part.value)
          AS new (call_key text, key text, expires_at bigint)
        ON CONFLICT (call_key, key) DO UPDATE SET expires_at = excluded.expires_at;
      ELSE
        RAISE EXCEPTION 'bug: a batch holds %', part.key;
      END IF;
    END LOOP;
  END
  $body$`,
]
