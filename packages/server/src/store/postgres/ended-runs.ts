const ended = `('completed', 'failed', 'stopped')`

/**
 * When runs ended, in a table of its own (AR-1). An index on `runs.updated_at`, even one of ended
 * runs only, makes Postgres enter every new version of a row into all indexes of `runs`: the column
 * changes with each decision. The database keeps the table itself, also for nodes of before.
 */
export const endedRuns: readonly string[] = [
  // First, and for itself: a lock that is raised later could wait for one that waits for us.
  'DROP INDEX runs_by_end',
  // Room for the next version of a row beside it.
  'ALTER TABLE runs SET (fillfactor = 70)',
  `CREATE TABLE ended_runs (
    run_id text COLLATE "C" NOT NULL PRIMARY KEY, ended_at bigint NOT NULL
  )`,
  `INSERT INTO ended_runs SELECT run_id, updated_at FROM runs WHERE status IN ${ended}`,
  'CREATE INDEX ended_runs_by_end ON ended_runs (ended_at, run_id)',

  `CREATE FUNCTION statewright_end_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF NEW.status IN ${ended} THEN
      INSERT INTO ended_runs (run_id, ended_at) VALUES (NEW.run_id, NEW.updated_at)
      ON CONFLICT (run_id) DO UPDATE SET ended_at = excluded.ended_at;
    ELSE
      DELETE FROM ended_runs WHERE run_id = NEW.run_id;
    END IF;
    RETURN NULL;
  END
  $body$`,

  `CREATE TRIGGER end_of_new_runs AFTER INSERT ON runs
    FOR EACH ROW WHEN (NEW.status IN ${ended}) EXECUTE FUNCTION statewright_end_changed()`,

  `CREATE TRIGGER end_of_runs AFTER UPDATE ON runs
    FOR EACH ROW WHEN (OLD.status IN ${ended} OR NEW.status IN ${ended})
    EXECUTE FUNCTION statewright_end_changed()`,
]
