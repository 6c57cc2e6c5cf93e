/** The headers of an answer, with what every answer says, whatever its status. */
export const standing = (requestId: string, headers: Record<string, string>): Record<string, string> => {
  headers["x-request-id"] = requestId
  headers["x-content-type-options"] = "nosniff"
  headers["referrer-policy"] = "no-referrer"
  headers["cache-control"] = "no-store"
  return headers
}

/** What every answer says, beside what its route says; a page beside the contract may be kept by whoever asked. */
export const finish = (response: Response, requestId: string): Response => {
  const { headers, status } = response
  const kept = headers.get("cache-control")
  for (const [name, value] of Object.entries(standing(requestId, {}))) headers.set(name, value)
  if (kept !== null) headers.set("cache-control", kept)
  if (status === 401) headers.set("www-authenticate", "Bearer")
  if (status === 503 && !headers.has("retry-after")) headers.set("retry-after", "1")
  return response
}
