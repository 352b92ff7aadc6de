import { Effect } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { note } from "../vocabulary/Exports.ts"
import { CatalogApi } from "./Api.ts"
import { MappingExists, PackageInUse, ServiceIsBase, SlugTaken } from "./Errors.ts"
import * as Store from "./Store.ts"

/** Writes a change of the catalog to the audit log of the provider. */
const noted = (entity: string, id: string, action: string, detail: Readonly<Record<string, unknown>> = {}) =>
  note(providerTenant, entity, id, action, detail)

const view = ({ updated_at, ...service }: Store.Service) => ({ ...service, updated_at: updated_at.toISOString() })

const noService = new NotFound({ detail: "The service does not exist." })

// The catalog belongs to no tenant, so the platform role reads and writes it.
export const catalog = Handlers.group(CatalogApi, "provisioningCatalog", (handlers) =>
  handlers.handleAll({
    services: () => orUnavailable(Effect.map(transaction(Store.services), (rows) => ({ items: rows.map(view) }))),
    addService: Effect.fnUntraced(function* ({ payload }) {
      const made = yield* orUnavailable(
        transaction(
          Effect.tap(Store.addService(payload), (made) =>
            made === undefined ? Effect.void : noted("provisioning_service", payload.slug, "created")
          )
        )
      )
      return made === undefined ? yield* new SlugTaken({ detail: "Another service has this slug." }) : view(made)
    }),
    changeService: ({ params: { slug }, payload }) =>
      orUnavailable(
        transaction(
          Effect.gen(function* () {
            const before = yield* Store.service(slug)
            if (before === undefined) return yield* noService
            yield* Store.setService({ ...before, ...payload })
            yield* noted("provisioning_service", slug, "changed", { fields: Object.keys(payload) })
            return view((yield* Store.service(slug))!)
          })
        )
      ),
    removeService: ({ params: { slug } }) =>
      orUnavailable(
        transaction(
          Effect.gen(function* () {
            const before = yield* Store.service(slug)
            if (before === undefined) return yield* noService
            if (before.is_base) return yield* new ServiceIsBase({ detail: "Make it a bookable service first." })
            yield* Store.removeService(slug)
            yield* noted("provisioning_service", slug, "deleted")
          })
        )
      ),
    packages: () => orUnavailable(Effect.map(transaction(Store.packages), (items) => ({ items }))),
    addPackage: Effect.fnUntraced(function* ({ payload }) {
      const made = yield* orUnavailable(
        transaction(
          Effect.tap(Store.addPackage(payload), (made) =>
            made === undefined
              ? Effect.void
              : noted("provisioning_package", String(made.id), "created", { slug: made.slug, type: made.type })
          )
        )
      )
      return made ?? (yield* new SlugTaken({ detail: "Another package has this slug." }))
    }),
    removePackage: ({ params: { id } }) =>
      orUnavailable(
        transaction(
          Effect.gen(function* () {
            if (yield* Store.isPackageUsed(id))
              return yield* new PackageInUse({ detail: "Delete its subscriptions and mappings first." })
            if (!(yield* Store.removePackage(id))) return yield* new NotFound({ detail: "The package does not exist." })
            yield* noted("provisioning_package", String(id), "deleted")
          })
        )
      ),
    mappings: () => orUnavailable(Effect.map(transaction(Store.mappings), (items) => ({ items }))),
    addMapping: Effect.fnUntraced(function* ({ payload }) {
      const { module_slug = null, package_id = null, package_type = null, service } = payload
      if (module_slug === null && package_id === null && package_type === null)
        return yield* new InvalidRequest({
          errors: [{ field: "payload.module_slug", message: "set module_slug, package_type or package_id" }]
        })
      return yield* orUnavailable(
        transaction(
          Effect.gen(function* () {
            if ((yield* Store.service(service)) === undefined) return yield* noService
            if (package_id !== null && !(yield* Store.packages).some(({ id }) => id === package_id))
              return yield* new NotFound({ detail: "The package does not exist." })
            const made = yield* Store.addMapping({ service, module_slug, package_type, package_id })
            if (made === undefined) return yield* new MappingExists({ detail: "The service has this mapping already." })
            yield* noted("provisioning_mapping", String(made.id), "created", { ...made })
            return made
          })
        )
      )
    }),
    removeMapping: ({ params: { id } }) =>
      orUnavailable(
        transaction(
          Effect.gen(function* () {
            if (!(yield* Store.removeMapping(id))) return yield* new NotFound({ detail: "The mapping does not exist." })
            yield* noted("provisioning_mapping", String(id), "deleted")
          })
        )
      )
  })
)
