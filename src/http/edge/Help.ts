// Names the page that explains an error, in the header `Link` of its problem document (RFC 8288, rel="help").
import { CONTENT_TYPE } from "../../api/shared/Problem.ts"

/** The address of the text that explains a code: `/guide/errors#rate_limited`. */
export type Help = (code: string) => string

/** Adds the header to a problem; leaves every other response as it is. */
export const linked = async (response: Response, help: Help): Promise<Response> => {
  const { headers, status } = response
  if (response.body === null || headers.get("content-type") !== CONTENT_TYPE) return response
  const body = await response.text()
  const [, code] = /"code":"(\w+)"/.exec(body) ?? []
  if (code !== undefined) headers.set("link", `<${help(code)}>; rel="help"`)
  return new Response(body, { status, headers })
}
