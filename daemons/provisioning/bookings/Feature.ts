import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { BookingsApi } from "./Api.ts"
import { bookings as handlers } from "./Handlers.ts"
import { bookings as tables } from "./migrations/0011_bookings.ts"

/** Plans and bookings of tenants. */
export const bookings = Feature.make({
  migrations: [tables],
  api: BookingsApi,
  layer: HttpApiBuilder.layer(BookingsApi).pipe(Layer.provide(handlers))
})
