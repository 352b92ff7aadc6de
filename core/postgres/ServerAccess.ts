/**
 * Who may connect: we without passwords, the kernel vouches for the peer of the socket; the mail server by password.
 * Pure. Source: Postgres manual, chapter "Client Authentication".
 */

/** Role of everything we do. Not a superuser, under row-level security. */
export const ownerRole = "signalbox"
/** Role a request takes on for one tenant's rows; cannot log in. */
export const tenantRole = "signalbox_tenant"
/** Bootstrap superuser of the cluster; used for creating roles and databases only. */
export const superuserRole = "postgres"

/** Role of the mail server's programs, which run as users of their own: it sees views made for it and nothing else. */
export const mailServerRole = "signalbox_mail"

const mapName = "signalbox"

/**
 * pg_hba.conf: local sockets only, two roles by `peer` through the map below, the mail server's by password and into
 * our database alone; everybody else is refused.
 */
export const hbaFile = (database: string) =>
  `# Written at each start; changes are lost.\nlocal all ${ownerRole},${superuserRole} peer map=${mapName}\n` +
  `local ${database} ${mailServerRole} scram-sha-256\n`

/** pg_ident.conf: the named system users may be either role. */
export const identFile = (systemUsers: ReadonlyArray<string>): string =>
  "# Written at each start; changes are lost.\n" +
  [...new Set(systemUsers)]
    .flatMap((user) => [ownerRole, superuserRole].map((role) => `${mapName} "${user.replaceAll('"', '""')}" ${role}\n`))
    .join("")
