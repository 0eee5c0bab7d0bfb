import express from 'express'
import { expect, test } from 'vitest'
import { securityHeaders } from '../../../../../api/http/middleware/security-headers.ts'
import { serve } from '../../../../../api/serve.ts'

async function headersOf(publicUrl: string, path: string): Promise<Headers> {
  const http = await serve(express().use(securityHeaders(undefined, publicUrl)), '127.0.0.1', 0)
  const { headers } = await fetch(`http://127.0.0.1:${http.port}${path}`)
  await http.close(0)
  return headers
}

// requirements: decisions/security/HSTS
test.each(['/api/v1/envelopes', '/settings', '/nothing', '/livez'])('over https %s is answered with HSTS', async (path) => {
  const https = await headersOf('https://sign.example.test', path)
  expect(https.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await headersOf('http://sign.example.test', path)).get('strict-transport-security')).toBeNull()
})

test('a page may use no camera, microphone, location, payment or USB', async () => {
  const policy = (await headersOf('https://sign.example.test', '/sign/x')).get('permissions-policy')
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) expect(policy).toContain(`${feature}=()`)
})
