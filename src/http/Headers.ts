/** What every answer says, beside what its route says. */
export const finish = (response: Response, requestId: string): Response => {
  const { headers, status } = response
  headers.set("x-request-id", requestId)
  headers.set("x-content-type-options", "nosniff")
  headers.set("cache-control", "no-store")
  if (status === 401) headers.set("www-authenticate", "Bearer")
  if (status === 503 && !headers.has("retry-after")) headers.set("retry-after", "1")
  return response
}
