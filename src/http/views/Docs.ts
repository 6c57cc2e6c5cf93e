import type * as HttpApi from "@effect/platform/HttpApi"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"

/** A page of the server's own: built when it is first asked for, since the binary has to start fast. */
export type Page = () => Promise<Response>

/** OpenAPI 3.1 of the interface, from the definitions that serve it. */
export const openApi = (): Page =>
  lazy(async () => {
    const [{ Api }, OpenApi] = await Promise.all([
      import("../../api/Api.ts"),
      import("@effect/platform/OpenApi")
    ])
    const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
    return { body: JSON.stringify(spec), headers: { "content-type": "application/json" } }
  })

/** The reference for people. Its scripts are in the page, named by their hashes: nothing comes from elsewhere. */
export const reference = (served: () => Promise<typeof HttpApi.Api.Service>): Page =>
  lazy(async () => {
    const html = await swagger(served)
    const hashes = await Promise.all(scripts(html).map(hash))
    const policy = [
      "default-src 'none'",
      `script-src ${hashes.map((it) => `'sha256-${it}'`).join(" ")}`,
      "style-src 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ]
    return {
      body: html,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy.join("; ")
      }
    }
  })

interface Content {
  readonly body: string
  readonly headers: Record<string, string>
}

const lazy = (build: () => Promise<Content>): Page => {
  let built: Promise<Content> | undefined
  return async () => {
    built ??= build()
    const { body, headers } = await built
    return new Response(body, { headers })
  }
}

/** The page as @effect/platform makes it, through a router that has no other route. */
const swagger = async (served: () => Promise<typeof HttpApi.Api.Service>): Promise<string> => {
  const [{ Api }, HttpApi, HttpApiBuilder, HttpApiSwagger, HttpApp, HttpRouter, HttpServer, OpenApi] =
    await Promise.all([
      import("../../api/Api.ts"),
      import("@effect/platform/HttpApi"),
      import("@effect/platform/HttpApiBuilder"),
      import("@effect/platform/HttpApiSwagger"),
      import("@effect/platform/HttpApp"),
      import("@effect/platform/HttpRouter"),
      import("@effect/platform/HttpServer"),
      import("@effect/platform/OpenApi")
    ])
  // The spec is kept by the library once made: made here with the options that /openapi.json has.
  OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  const page = HttpApiSwagger.layer({ path: "/docs" }).pipe(
    Layer.provide(Layer.effect(HttpApi.Api, Effect.promise(served)))
  )
  const app = Effect.flatMap(HttpApiBuilder.Router, ({ router }) =>
    Effect.flatMap(router, HttpRouter.toHttpApp)
  )
  const handler = HttpApp.toWebHandler(
    Effect.flatten(app).pipe(
      Effect.provide(Layer.mergeAll(page, HttpApiBuilder.Router.Live, HttpServer.layerContext))
    )
  )
  const response = await handler(new Request("http://localhost/docs"))
  return response.text()
}

const SCRIPT = /<script>([\s\S]*?)<\/script>/g
const scripts = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(SCRIPT)].map(([, text = ""]) => text)

const hash = async (text: string): Promise<string> =>
  Encoding.encodeBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
