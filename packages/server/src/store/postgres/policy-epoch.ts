/** Any number will do, as long as all nodes lock the same. */
export const epochLock = 7_482_911_027

/**
 * A decision commits only while the policies hold by which it was made (PO-1d). Decisions share a
 * lock and whoever saves a policy takes it alone: a save waits for the commits under way, and what
 * commits after it sees the new number. The lock lies in memory, unlike one on a row, which every
 * call would write to disk.
 */
export const policyEpochFunctions: readonly string[] = [
  `CREATE FUNCTION statewright_policies_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    PERFORM pg_advisory_xact_lock(${epochLock});
    UPDATE policy_epoch SET epoch = epoch + 1;
    RETURN NULL;
  END
  $body$`,

  `CREATE TRIGGER policy_epoch AFTER INSERT OR UPDATE OR DELETE ON policies
    FOR EACH STATEMENT EXECUTE FUNCTION statewright_policies_changed()`,

  `CREATE FUNCTION statewright_decide(
    p_new json, p_run text, p_after bigint, p_last bigint, p_chain text,
    p_status text, p_state text, p_updated_at bigint, p_calls bigint, p_denials bigint,
    p_transitions bigint, p_cost_micros bigint,
    p_seqs bigint[], p_hashes text[], p_call_ids text[], p_entries text[],
    p_snapshot text, p_more json, p_epoch bigint
  ) RETURNS text LANGUAGE plpgsql AS $body$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(${epochLock});
    PERFORM 1 FROM policy_epoch WHERE epoch = p_epoch;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    RETURN statewright_write(p_new, p_run, p_after, p_last, p_chain, p_status, p_state,
      p_updated_at, p_calls, p_denials, p_transitions, p_cost_micros, p_seqs, p_hashes,
      p_call_ids, p_entries, p_snapshot, p_more);
  END
  $body$`,
]
