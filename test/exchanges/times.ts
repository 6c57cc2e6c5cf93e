/** `2026-01-31T12:00:00.000000Z`, in microseconds as most exchanges write it. */
export const micros = (at: number): string => `${new Date(at).toISOString().slice(0, -1)}000Z`
