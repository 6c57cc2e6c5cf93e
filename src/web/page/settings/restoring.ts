// The commands that restore a backup, to be run in the database's folder.

/** Stands for the name of a backup that has not been made yet. */
const SOME = "signalbox-DATE.db"

/** The commands to try a backup elsewhere, and to put it in the database's place. */
export const restoring = (file: string = SOME) => ({
  elsewhere: `signalbox restore backups/${file} --db elsewhere/signalbox.db
signalbox verify --db elsewhere/signalbox.db`,
  inPlace: `signalbox restore backups/${file} --force --db signalbox.db`
})
