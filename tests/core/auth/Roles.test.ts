import { permissionsOf, roles } from "#core/auth/Roles.ts"
import { all } from "#core/auth/Permissions.ts"
import { expect, it } from "@effect/vitest"

it("gives each role the permissions of the next smaller one, and all permissions to admins", () => {
  const { admin, customer, reseller, user } = permissionsOf
  const isWithin = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].every((name) => other.has(name))
  expect([isWithin(user, customer), isWithin(customer, reseller), isWithin(reseller, admin)]).toEqual(
    Array(3).fill(true)
  )
  expect([...admin]).toEqual(all)
})

it("lets support read everything except secrets, tokens and scans, and change nothing", () => {
  const kept = ["sip.credentials.read", "provisioning.client_tokens.read", "ocr.read"]
  const readable = all.filter((permission) => permission.endsWith(".read") && !kept.includes(permission))
  expect([...permissionsOf.support].sort()).toEqual([...readable].sort())
})

it("shows credentials of telephones to admins and resellers only", () => {
  expect(roles.filter((role) => permissionsOf[role].has("sip.credentials.read"))).toEqual(["admin", "reseller"])
})
