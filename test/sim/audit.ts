// What a world's database of SQLite keeps beside its own tables, for the checks.

/** Records every change of an order's status, and who ever waited, so that forbidden transitions are found. */
export const AUDIT = `
  CREATE TABLE sim_waits (alert INTEGER, strategy INTEGER, since INTEGER, PRIMARY KEY (alert, strategy));
  CREATE TRIGGER sim_waited AFTER INSERT ON waiting BEGIN
    INSERT OR IGNORE INTO sim_waits VALUES (new.alert_id, new.strategy_id, new.since);
  END;
  CREATE TABLE sim_transitions (sequence INTEGER PRIMARY KEY, id TEXT, before TEXT, after TEXT);
  CREATE TRIGGER sim_changed AFTER UPDATE OF status ON orders BEGIN
    INSERT INTO sim_transitions (id, before, after) VALUES (old.id, old.status, new.status);
  END;`
