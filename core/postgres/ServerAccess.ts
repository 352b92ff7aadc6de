/**
 * Who may connect: no passwords, the kernel vouches for the peer of the socket. Pure. Source: Postgres manual, chapter "Client Authentication".
 */

/** Role of everything we do. Not a superuser, under row-level security. */
export const ownerRole = "signalbox"
/** Role a request takes on for one tenant's rows; cannot log in. */
export const tenantRole = "signalbox_tenant"
/** Bootstrap superuser of the cluster; used for creating roles and databases only. */
export const superuserRole = "postgres"

const mapName = "signalbox"

/** pg_hba.conf: local sockets only, two roles, `peer` through the map below; everybody else is refused. */
export const hbaFile = `# Written at each start; changes are lost.\nlocal all ${ownerRole},${superuserRole} peer map=${mapName}\n`

/** pg_ident.conf: the named system users may be either role. */
export const identFile = (systemUsers: ReadonlyArray<string>): string =>
  "# Written at each start; changes are lost.\n" +
  [...new Set(systemUsers)]
    .flatMap((user) => [ownerRole, superuserRole].map((role) => `${mapName} "${user.replaceAll("\"", "\"\"")}" ${role}\n`))
    .join("")
