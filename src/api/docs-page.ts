export function docsPage(document: object): { html: string; script: string; style: string } {
  return { html: `<pre>${JSON.stringify(document).replaceAll('<', '&lt;')}</pre>`, script: '', style: '' }
}
