import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"
import { Waiting } from "../../parts/Loading.tsx"
import { firstSection } from "./OperationsPage.tsx"

/** Opens the first section that the user may see. */
export default () => {
  const { route } = useLocation()
  useEffect(() => route(`/console/operations/${firstSection()}`, true), [])
  return <Waiting />
}
