/** Stands for a backup that has not been made yet. */
const SOME = "signalbox-DATE.db"

/** The commands that put a backup back, to be given in the folder of the database. */
export const restoring = (file: string = SOME) => ({
  elsewhere: `signalbox restore backups/${file} --db elsewhere/signalbox.db
signalbox verify --db elsewhere/signalbox.db`,
  inPlace: `signalbox restore backups/${file} --force --db signalbox.db`
})
