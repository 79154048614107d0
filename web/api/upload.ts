// Uploads a file with XMLHttpRequest, because fetch reports no upload progress.

export function uploadWithProgress(
  url: string,
  method: string,
  headers: Headers,
  file: Blob,
  onUpload: (share: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest()
  request.open(method, url)
  request.responseType = 'blob'
  headers.forEach((value, name) => {
    request.setRequestHeader(name, value)
  })
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onUpload(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onUpload(1)
    request.onload = () => resolve(answerOf(request))
    request.onerror = () => reject(new TypeError('not sent'))
    request.send(file)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of ['content-type', 'retry-after']) {
    const value = request.getResponseHeader(name)
    if (value) headers.set(name, value)
  }
  return new Response(request.response, { status: request.status, headers })
}
