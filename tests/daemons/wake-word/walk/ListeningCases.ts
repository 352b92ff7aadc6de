/** Walk cases of listening and of models. */
import { type Cases, list, own, thing, type Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { nobody, type Seeds } from "./Seeds.ts"

const base = "/api/v1/wakeword"

export const listeningCases = ({ active }: Seeds): Cases => {
  const seed = active
  const file = (success: number) => own("the active model of the caller's tenant", { seed, success })
  return {
    [`GET ${base}/status`]: own("the active model of the caller's tenant", {
      seed,
      success: 200,
      wrong: ({ json }, { name }) => (json.model?.name === name ? undefined : `not ${name}`)
    }),
    [`GET ${base}/active/model`]: file(200),
    [`GET ${base}/active/embedding`]: file(200),
    // The mel frames of our own extractor are computed in code.
    [`GET ${base}/active/mel`]: file(404)
  }
}

export const modelCases = ({ active, model }: Seeds): Cases => {
  const never = { name: "nobodys-model", tenant: nobody }
  const isIt = ({ json }: Reply, { name }: { readonly name: string }) =>
    json.name === name ? undefined : `not ${name}`
  const about = (success: number, wrong?: typeof isIt, seed: (as: Who) => ReturnType<typeof model> = model) =>
    thing({
      seed,
      never,
      request: ({ name, tenant }) => ({ path: { name }, query: { tenant_id: tenant } }),
      success,
      ...(wrong === undefined ? {} : { wrong })
    })
  return {
    [`GET ${base}/models`]: list({
      seed: model,
      never: { ...never, id: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map(({ id }: { id: number }) => id),
      by: "id",
      naming: ({ id, tenant }) => [{ before: id }, { tenant_id: tenant }]
    }),
    [`GET ${base}/models/{name}`]: about(200, isIt),
    [`GET ${base}/models/{name}/file`]: about(200),
    [`POST ${base}/models/{name}/activate`]: thing({
      seed: model,
      never,
      request: ({ name, tenant }) => ({ path: { name }, query: { tenant_id: tenant, force: "true" } }),
      success: 200,
      wrong: isIt
    }),
    [`POST ${base}/models/{name}/deactivate`]: about(200, isIt, active),
    [`DELETE ${base}/models/{name}`]: about(204)
  }
}
