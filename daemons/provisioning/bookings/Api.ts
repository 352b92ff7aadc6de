import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { BodyId, Id, inTenant, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Slug } from "../vocabulary/Exports.ts"
import { bookingStates } from "./Booked.ts"
import { NoSuchPackage } from "./Errors.ts"
import { HostName } from "./HostName.ts"

const Status = Schema.Literals(bookingStates)

/** A booked module of the tenant. Source of the fields: interface document 2 §2.4. */
export const ModuleView = Schema.Struct({
  slug: Schema.String,
  tier: Schema.NullOr(Schema.String),
  status: Status
}).annotate({ identifier: "ProvisioningModule" })

export const SubscriptionView = Schema.Struct({
  id: Schema.Int,
  status: Status,
  package: Schema.Struct({ id: Schema.Int, slug: Schema.String, name: Schema.String, type: Schema.String })
}).annotate({ identifier: "ProvisioningSubscription" })

export const AddonView = Schema.Struct({ slug: Schema.String, status: Status, quantity: Schema.Int }).annotate({
  identifier: "ProvisioningAddon"
})

/** Field `booked` of the answer to a device that is being set up: the tenant's bookings. */
export const BookedView = Schema.Struct({
  modules: Schema.Array(ModuleView),
  subscriptions: Schema.Array(SubscriptionView),
  addons: Schema.Array(AddonView)
}).annotate({ identifier: "ProvisioningBooked" })

/**
 * Plan and bookings of one tenant. `services`: for each service of the catalog, whether it is booked, and the rule that
 * decides it.
 */
export const BookingsView = Schema.Struct({
  tenant_id: Schema.Int,
  plan: Schema.String,
  /** Host of the tenant's links and addresses; null: the host of the installation. */
  base_domain: Schema.NullOr(Schema.String),
  ...BookedView.fields,
  services: Schema.Array(
    Schema.Struct({
      slug: Schema.String,
      booked: Schema.Boolean,
      reason: Schema.Literals(["base", "no_bookings", "module", "package", "not_booked"])
    })
  )
}).annotate({ identifier: "ProvisioningBookings" })

const provider = "Only the provider changes bookings; `tenant_id` names the tenant (default: the provider's own)."

/** Annotations of an endpoint by which the provider changes bookings. `more`: sentences for the description. */
const change = (summary: string, more?: string) =>
  OpenApi.annotations({ summary, description: more === undefined ? provider : `${provider} ${more}` }).pipe(
    Context.add(Requires, "provisioning.manage"),
    Context.add(ProviderOnly, true)
  )

/** Request and answers of an endpoint that deletes a booking, apart from its path. */
const removal = { query: inTenant, success: HttpApiSchema.NoContent, error: NotFound } as const

/** Plan, modules, subscriptions and addons of tenants. */
export const bookings = HttpApiGroup.make("provisioningBookings")
  .add(
    HttpApiEndpoint.get("show", "/bookings", { query: inTenant, success: BookingsView })
      .annotate(Requires, "provisioning.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Plan and bookings of the tenant, and which services they contain" })
      ),
    HttpApiEndpoint.put("setPlan", "/plan", {
      query: inTenant,
      payload: Schema.Struct({
        plan: Schema.optionalKey(plainText(50)),
        base_domain: Schema.optionalKey(Schema.NullOr(HostName))
      }),
      success: BookingsView
    }).annotateMerge(change("Change plan and domain of a tenant")),
    HttpApiEndpoint.put("setModule", "/modules/:slug", {
      params: { slug: Slug },
      query: inTenant,
      payload: Schema.Struct({
        tier: Schema.optionalKey(Schema.NullOr(plainText(50))),
        status: Schema.optionalKey(Status)
      }),
      success: ModuleView
    }).annotateMerge(change("Book or change a module", "Default: `active`, without tier.")),
    HttpApiEndpoint.delete("removeModule", "/modules/:slug", { params: { slug: Slug }, ...removal }).annotateMerge(
      change("Delete a booked module")
    ),
    HttpApiEndpoint.post("subscribe", "/subscriptions", {
      query: inTenant,
      payload: Schema.Struct({ package_id: BodyId, status: Schema.optionalKey(Status) }),
      success: SubscriptionView.pipe(HttpApiSchema.status(201)),
      error: NoSuchPackage
    }).annotateMerge(change("Subscribe a tenant to a package")),
    HttpApiEndpoint.put("setSubscription", "/subscriptions/:id", {
      params: { id: Id },
      query: inTenant,
      payload: Schema.Struct({ status: Status }),
      success: SubscriptionView,
      error: NotFound
    }).annotateMerge(change("Change the status of a subscription")),
    HttpApiEndpoint.delete("unsubscribe", "/subscriptions/:id", { params: { id: Id }, ...removal }).annotateMerge(
      change("Delete a subscription")
    ),
    HttpApiEndpoint.put("setAddon", "/addons/:slug", {
      params: { slug: Slug },
      query: inTenant,
      payload: Schema.Struct({
        status: Schema.optionalKey(Status),
        quantity: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })))
      }),
      success: AddonView
    }).annotateMerge(change("Book or change an addon", "Default: `active`, quantity 1.")),
    HttpApiEndpoint.delete("removeAddon", "/addons/:slug", { params: { slug: Slug }, ...removal }).annotateMerge(
      change("Delete a booked addon")
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning")

export const BookingsApi = Api.make("provisioning-bookings").add(bookings)
