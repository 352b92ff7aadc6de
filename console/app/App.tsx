import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso"
import { me } from "../lib/Me.ts"
import { state } from "../lib/Session.ts"
import { Waiting } from "../parts/Loading.tsx"
import { AcknowledgeLink, acknowledgePath } from "./AcknowledgeLink.tsx"
import { loadPage } from "./LoadPage.ts"
import { NotAllowed } from "./NotAllowed.tsx"
import { NotFound } from "./NotFound.tsx"
import { mayOpen } from "./PageEntry.ts"
import { pages } from "./Pages.ts"
import { Shell } from "./Shell.tsx"
import { SignIn } from "./SignIn.tsx"

const routes = pages.map((page) => ({
  ...page,
  component: lazy(loadPage(page.load)),
  refused: () => <NotAllowed needs={[page.needs ?? []].flat()} />
}))

/** The console: the sign-in page, or the shell around the page that the URL selects. */
export const App = () => {
  if (location.pathname === acknowledgePath) return <AcknowledgeLink />
  if (state.value === "unknown") return <Waiting />
  if (state.value === "out") return <SignIn />
  if (me.value === undefined) return <Waiting />
  return (
    <LocationProvider scope="/console">
      <Shell>
        <ErrorBoundary>
          <Router>
            {routes
              .filter((page) => page.provider === true || mayOpen(page))
              .map((page) => (
                <Route
                  key={page.path}
                  path={`/console${page.path}`}
                  component={mayOpen(page) ? page.component : page.refused}
                />
              ))}
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Shell>
    </LocationProvider>
  )
}
