/** Settings that judge calls; the others are marks that nobody keeps in memory. */
const ruling = `NEW.key IN ('config.accepted', 'config.mode')
  OR starts_with(NEW.key, 'upstream.tools.')`

const ended = `('completed', 'failed', 'stopped', 'blocked')`

/**
 * What nodes hold in memory has a number each (ND-1, ND-2). Configuration, mode and tokens share
 * that of the policies, so that a decision by a configuration that holds no longer does not commit.
 * Bonds of runs have their own, of which no commit needs to know: runs begin all the time.
 */
export const versionTables: readonly string[] = [
  `CREATE TRIGGER rules_of_settings AFTER INSERT OR UPDATE ON settings
    FOR EACH ROW WHEN (${ruling}) EXECUTE FUNCTION statewright_policies_changed()`,

  // A new token is known to nobody yet.
  `CREATE TRIGGER rules_of_tokens AFTER UPDATE ON tokens
    FOR EACH ROW EXECUTE FUNCTION statewright_policies_changed()`,

  'CREATE TABLE bond_epoch (epoch bigint NOT NULL)',
  'INSERT INTO bond_epoch VALUES (1)',

  `CREATE FUNCTION statewright_bonds_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    UPDATE bond_epoch SET epoch = epoch + 1;
    RETURN NULL;
  END
  $body$`,

  `CREATE TRIGGER bonds_of_new_runs AFTER INSERT ON runs
    FOR EACH ROW EXECUTE FUNCTION statewright_bonds_changed()`,

  `CREATE TRIGGER bonds_of_runs AFTER UPDATE ON runs
    FOR EACH ROW WHEN (
      OLD.session IS DISTINCT FROM NEW.session OR OLD.agent IS DISTINCT FROM NEW.agent
      OR OLD.connection IS DISTINCT FROM NEW.connection
      OR OLD.status <> NEW.status AND (OLD.status IN ${ended} OR NEW.status IN ${ended})
    ) EXECUTE FUNCTION statewright_bonds_changed()`,
]
