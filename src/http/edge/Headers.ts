// The headers of every response, whatever its status.

/** Adds the standing headers to a response's own. */
export const standing = (requestId: string, headers: Record<string, string>): Record<string, string> => {
  headers["x-request-id"] = requestId
  headers["x-content-type-options"] = "nosniff"
  headers["referrer-policy"] = "no-referrer"
  headers["cache-control"] = "no-store"
  return headers
}

/** Adds the standing headers to a response; a page besides the contract keeps its own `cache-control`. */
export const finish = (response: Response, requestId: string): Response => {
  const { headers, status } = response
  const kept = headers.get("cache-control")
  for (const [name, value] of Object.entries(standing(requestId, {}))) headers.set(name, value)
  if (kept !== null) headers.set("cache-control", kept)
  if (status === 401) headers.set("www-authenticate", "Bearer")
  if (status === 503 && !headers.has("retry-after")) headers.set("retry-after", "1")
  return response
}
