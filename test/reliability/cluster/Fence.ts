// Has the database itself note every commit in a partition that comes from another node than its owner: a node that was
// frozen beyond its lease must not have stored anything.
import { change, type Rows } from "../Rows.ts"

const WATCH = `CREATE SCHEMA watch;
  CREATE TABLE watch.strangers (partition bigint, node text);
  CREATE FUNCTION watch.commits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (NEW.seq, NEW.last, NEW.cursor) IS DISTINCT FROM (OLD.seq, OLD.last, OLD.cursor)
      AND OLD.owner IS DISTINCT FROM current_setting('application_name')
    THEN INSERT INTO watch.strangers VALUES (OLD.id, current_setting('application_name')); END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER watch_commits BEFORE UPDATE ON partitions FOR EACH ROW EXECUTE FUNCTION watch.commits()`

/** Begins to watch. */
export const watch = (url: string): void => void change(url, WATCH)

/** How many commits came from a node that was no owner; nothing is watched afterwards. */
export const strangers = (url: string, rows: Rows): number => {
  const count = rows.count("SELECT count(*) FROM watch.strangers")
  change(url, "DROP TRIGGER watch_commits ON partitions; DROP SCHEMA watch CASCADE")
  return count
}

/** How often a node learned of its lost partitions by a commit that was refused. */
export const refusals = (printed: string): number =>
  printed.match(/another server has taken over \d+ partitions/g)?.length ?? 0
