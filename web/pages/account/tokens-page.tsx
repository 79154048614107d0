// To be built.
import { Page } from '../../ui/page.tsx'

export default function Placeholder() {
  return <Page title="tokens-page" />
}
