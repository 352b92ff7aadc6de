import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { BodyId, Id, maxId, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Slug, Translated } from "../vocabulary/Exports.ts"
import { MappingExists, PackageInUse, ServiceIsBase, SlugTaken } from "./Errors.ts"
import { ConfigTemplate } from "./Templates.ts"

/** Fields of a service that can change. Source: interface document 2 §2.4. */
const serviceFields = {
  name_i18n: Translated(100),
  description_i18n: Translated(500),
  /** Name of an icon. */
  icon: plainText(50),
  config_template: ConfigTemplate,
  /** Feature that the answer to a device lists while the service is booked: `webdav`. */
  feature_slug: Slug,
  /** Always booked, whatever the tenant's bookings. */
  is_base: Schema.Boolean,
  /** Place in lists; ascending. */
  position: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxId }))
}

/** One service of the catalog. */
export const ServiceView = Schema.Struct({
  slug: Schema.String,
  name_i18n: Schema.Record(Schema.String, Schema.String),
  description_i18n: Schema.Record(Schema.String, Schema.String),
  icon: Schema.String,
  config_template: Schema.Record(Schema.String, Schema.Json),
  feature_slug: Schema.String,
  is_base: Schema.Boolean,
  position: Schema.Int,
  updated_at: Schema.String
}).annotate({ identifier: "ProvisioningService" })

/** A package that tenants subscribe to. */
export const PackageView = Schema.Struct({
  id: Schema.Int,
  slug: Schema.String,
  name: Schema.String,
  /** Compared with `package_type` of the mappings. */
  type: Schema.String
}).annotate({ identifier: "ProvisioningPackage" })

/** A rule: the service is booked when a module has this slug, or a subscribed package this type or id. */
export const MappingView = Schema.Struct({
  id: Schema.Int,
  service: Schema.String,
  module_slug: Schema.NullOr(Schema.String),
  package_type: Schema.NullOr(Schema.String),
  package_id: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "ProvisioningMapping" })

const items = <S extends Schema.Codec<unknown, unknown>>(item: S) => Schema.Struct({ items: Schema.Array(item) })

const documented = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

const provider = "Only the provider changes the catalog: it is the same for all tenants."

/** The catalog of services, and the rules by which bookings contain them. */
export const catalog = HttpApiGroup.make("provisioningCatalog")
  .add(
    HttpApiEndpoint.get("services", "/services", { success: items(ServiceView) })
      .annotate(Requires, "provisioning.read")
      .annotateMerge(documented("The services, in their order")),
    HttpApiEndpoint.post("addService", "/services", {
      payload: Schema.Struct({ slug: Slug, ...serviceFields }),
      success: ServiceView.pipe(HttpApiSchema.status(201)),
      error: SlugTaken
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(
        documented(
          "Add a service",
          `${provider} \`config_template\` may contain {base_url}, {user_slug}, {email}, {domain} and ` +
            "{display_name}. `provides_login_token`, `provides_extension` and `provides_app_password` (true) add " +
            "credentials when a device is set up."
        )
      ),
    HttpApiEndpoint.put("changeService", "/services/:slug", {
      params: { slug: Slug },
      payload: Schema.Struct({
        name_i18n: Schema.optionalKey(serviceFields.name_i18n),
        description_i18n: Schema.optionalKey(serviceFields.description_i18n),
        icon: Schema.optionalKey(serviceFields.icon),
        config_template: Schema.optionalKey(serviceFields.config_template),
        feature_slug: Schema.optionalKey(serviceFields.feature_slug),
        is_base: Schema.optionalKey(serviceFields.is_base),
        position: Schema.optionalKey(serviceFields.position)
      }),
      success: ServiceView,
      error: NotFound
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(documented("Change a service", provider)),
    HttpApiEndpoint.delete("removeService", "/services/:slug", {
      params: { slug: Slug },
      success: HttpApiSchema.NoContent,
      error: [NotFound, ServiceIsBase]
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(
        documented("Delete a service with its mappings", `${provider} 409 \`service_is_base\`: a base service stays.`)
      ),
    HttpApiEndpoint.get("packages", "/packages", { success: items(PackageView) })
      .annotate(Requires, "provisioning.read")
      .annotateMerge(documented("The packages that tenants subscribe to")),
    HttpApiEndpoint.post("addPackage", "/packages", {
      payload: Schema.Struct({ slug: Slug, name: plainText(100), type: Slug }),
      success: PackageView.pipe(HttpApiSchema.status(201)),
      error: SlugTaken
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(documented("Add a package", provider)),
    HttpApiEndpoint.delete("removePackage", "/packages/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: [NotFound, PackageInUse]
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(
        documented("Delete a package", `${provider} 409 \`package_in_use\`: a subscription or a mapping names it.`)
      ),
    HttpApiEndpoint.get("mappings", "/mappings", { success: items(MappingView) })
      .annotate(Requires, "provisioning.read")
      .annotateMerge(documented("The mappings, by service")),
    HttpApiEndpoint.post("addMapping", "/mappings", {
      payload: Schema.Struct({
        service: Slug,
        module_slug: Schema.optionalKey(Schema.NullOr(Slug)),
        package_type: Schema.optionalKey(Schema.NullOr(Slug)),
        package_id: Schema.optionalKey(Schema.NullOr(BodyId))
      }),
      success: MappingView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, MappingExists]
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(
        documented(
          "Add a mapping",
          `${provider} At least one of \`module_slug\`, \`package_type\` and \`package_id\` is required. With both ` +
            "`package_type` and `package_id`, one package must have both."
        )
      ),
    HttpApiEndpoint.delete("removeMapping", "/mappings/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "provisioning.manage")
      .annotate(ProviderOnly, true)
      .annotateMerge(documented("Delete a mapping", provider))
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning")

export const CatalogApi = Api.make("provisioning-catalog").add(catalog)
