import { HttpRouter } from "@effect/platform"
import { Layer } from "effect"
import { Memory } from "signalbox"
import { app, Http } from "signalbox/http"

export const router = HttpRouter.mountApp(HttpRouter.empty, "/trading", app)
export const services = Layer.provide(Http.layer({ prefix: "/trading" }), Memory.layer())
