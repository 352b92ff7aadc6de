/** Refusals of the catalog's endpoints. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another service or package has the slug. */
export class SlugTaken extends HttpApiError.Problem<SlugTaken>()(
  "SlugTaken",
  declaration("slug_taken", 409, "The slug is taken"),
  codeField("slug_taken")
) {}

/** 409: the service is a base service, which every client relies on. */
export class ServiceIsBase extends HttpApiError.Problem<ServiceIsBase>()(
  "ServiceIsBase",
  declaration("service_is_base", 409, "A base service cannot be deleted"),
  codeField("service_is_base")
) {}

/** 409: a subscription or a mapping names the package. */
export class PackageInUse extends HttpApiError.Problem<PackageInUse>()(
  "PackageInUse",
  declaration("package_in_use", 409, "The package is in use"),
  codeField("package_in_use")
) {}

/** 409: an equal mapping exists. */
export class MappingExists extends HttpApiError.Problem<MappingExists>()(
  "MappingExists",
  declaration("mapping_exists", 409, "The mapping exists"),
  codeField("mapping_exists")
) {}
