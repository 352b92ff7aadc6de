/** Endpoints of the daemons with addresses of their own that no document describes. See Additions.ts. */
export const pageAdditions: Readonly<Record<string, string>> = {
  "status-checker": `
    GET /
    GET /feed.atom
    GET /badge.svg
    GET /badge/{file}
    GET /api/v1/response-times
    GET /api/v1/response-times/{id}
    GET /api/openapi.json
    GET /api/v2/summary.json
    GET /api/v2/status.json
    GET /api/v2/components.json
    GET /api/v2/incidents.json
    GET /api/v2/incidents/unresolved.json
    GET /api/v2/scheduled-maintenances.json
    GET /api/v2/scheduled-maintenances/active.json
    GET /api/v2/scheduled-maintenances/upcoming.json
    GET /incidents/{id}
    GET /history
    GET, POST /subscribe
    GET, POST /subscribe/confirm
    GET, POST /unsubscribe
    GET, POST /api/v1/admin/incidents
    GET, PUT, DELETE /api/v1/admin/incidents/{id}
    POST /api/v1/admin/incidents/{id}/updates
    POST /api/v1/admin/incidents/{id}/publish
    POST /api/v1/admin/incidents/{id}/resolve
    GET, POST /api/v1/admin/maintenance
    PUT, DELETE /api/v1/admin/maintenance/{id}
    GET /api/v1/admin/subscribers
    DELETE /api/v1/admin/subscribers/{id}
    GET, POST /api/v1/admin/checks
    GET, POST /api/v1/admin/components
    POST /api/v1/admin/components/try
    PUT, DELETE /api/v1/admin/components/{id}
    GET /api/v1/admin/mails`,
  "edge-auth": `
    POST /logout
    GET /handoff
    GET, POST /account
    GET /admin/coverage.json
    GET, POST /api/v1/edge/users
    PATCH, DELETE /api/v1/edge/users/{id}
    POST /api/v1/edge/users/{id}/password
    POST /api/v1/edge/users/{id}/sign-out
    DELETE /api/v1/edge/users/{id}/second-factor
    GET /api/v1/edge/coverage
    GET, POST /api/v1/edge/routes
    PATCH, DELETE /api/v1/edge/routes/{id}`
}
