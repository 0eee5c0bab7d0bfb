// Runs the receivers of the chapter on webhooks in their languages, on the published vectors and on what a receiver must reject.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lexer, type Tokens } from 'marked'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readChapter } from '../../api/docs/page.ts'
import { runProgram } from '../support/clients/run-program.ts'
import vectors from '../fixtures/webhook-vectors.json' with { type: 'json' }

interface Case {
  name: string
  header: string
  body: string
  secret: string
  now: number
  isValid: boolean
}

const OTHER = 'whsec_b3RoZXIgc2VjcmV0IG9mIGFub3RoZXIgcmVjZWl2ZXI'
const [one, two] = vectors
const first = { header: one!.header, body: one!.body, secret: one!.secrets[0]!, now: one!.t }

const cases: Case[] = [
  ...vectors.flatMap(({ name, header, body, secrets, t }) =>
    secrets.map((secret, index) => ({ name: `${name}, secret ${index + 1}`, header, body, secret, now: t, isValid: true })),
  ),
  { ...first, name: '300 s late', now: first.now + 300, isValid: true },
  { ...first, name: '300 s early', now: first.now - 300, isValid: true },
  { ...first, name: 'an unknown field', header: `${first.header},v2=abc`, isValid: true },
  { ...first, name: '301 s late', now: first.now + 301, isValid: false },
  { ...first, name: '301 s early', now: first.now - 301, isValid: false },
  { ...first, name: 'another secret', secret: OTHER, isValid: false },
  { ...first, name: 'a secret without its prefix', secret: first.secret.slice('whsec_'.length), isValid: false },
  { ...first, name: 'neither of two', header: two!.header, secret: OTHER, isValid: false },
  { ...first, name: 'another body', body: `${first.body} `, isValid: false },
  { ...first, name: 'another time', header: first.header.replace(`t=${first.now}`, `t=${first.now + 1}`), isValid: false },
  { ...first, name: 'no time', header: first.header.replace(/^t=\d+,/, ''), isValid: false },
  { ...first, name: 'a time that is no number', header: first.header.replace(/t=\d+/, 't=now'), isValid: false },
  { ...first, name: 'a time that is too large', header: first.header.replace(/t=\d+/, `t=${'9'.repeat(40)}`), isValid: false },
  { ...first, name: 'a negative time', header: first.header.replace('t=', 't=-'), isValid: false },
  { ...first, name: 'no signature', header: `t=${first.now}`, isValid: false },
  { ...first, name: 'an empty signature', header: `t=${first.now},v1=`, isValid: false },
  { ...first, name: 'a signature that was cut', header: first.header.slice(0, -1), isValid: false },
  { ...first, name: 'letters beyond ASCII', header: `t=${first.now},v1=${'ü'.repeat(32)}`, isValid: false },
  { ...first, name: 'another scheme', header: first.header.replace('v1=', 'v0='), isValid: false },
  { ...first, name: 'fields without values', header: ',,t,v1,=', isValid: false },
  { ...first, name: 'an empty header', header: '', isValid: false },
]

/** How a language reads the cases (one per line: header, body and secret in base64, time) and prints 1 or 0 for each. */
interface Runner {
  language: string
  program: string
  file: string
  /** The snippet as a program. */
  wrap: (snippet: string) => string
  args: (file: string) => string[]
}

const RUNNERS: Runner[] = [
  {
    language: 'ts',
    program: process.execPath,
    file: 'check.ts',
    wrap: (snippet) => `import { readFileSync } from 'node:fs'
${snippet}
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const [header, body, secret] = line.split(' ').map((field) => Buffer.from(field.slice(1), 'base64'))
  console.log(Number(isFromSealwright(String(header), body!, String(secret), Number(line.split(' ')[3]))))
}`,
    args: (file) => [file],
  },
  {
    language: 'python',
    program: 'python3',
    file: 'check.py',
    wrap: (snippet) => `${snippet}

import base64, sys
for line in sys.stdin:
    *fields, now = line.split()
    header, body, secret = (base64.b64decode(field[1:]) for field in fields)
    print(int(is_from_sealwright(header.decode(), body, secret.decode(), int(now))))
`,
    args: (file) => [file],
  },
  {
    language: 'java',
    program: 'java',
    file: 'Check.java',
    // The class of the file comes first in a program that is started from its source.
    wrap: (snippet) => `${snippet.slice(0, snippet.indexOf('final class'))}
class Check {
  public static void main(String[] args) throws Exception {
    for (String line : new String(System.in.readAllBytes()).trim().split("\\n")) {
      String[] fields = line.split(" ");
      byte[][] bytes = new byte[3][];
      for (int i = 0; i < 3; i++) bytes[i] = java.util.Base64.getDecoder().decode(fields[i].substring(1));
      String header = new String(bytes[0], StandardCharsets.UTF_8);
      String secret = new String(bytes[2], StandardCharsets.UTF_8);
      System.out.println(SealwrightSignature.isValid(header, bytes[1], secret, Long.parseLong(fields[3])) ? 1 : 0);
    }
  }
}
${snippet.slice(snippet.indexOf('final class'))}`,
    args: (file) => [file],
  },
  {
    language: 'go',
    program: 'go',
    file: 'check.go',
    wrap: (
      snippet,
    ) => `${snippet.replace('package sealwright', 'package main').replace('import (', 'import (\n"encoding/base64"\n"fmt"')}
func main() {
	var fields [3]string
	var now int64
	for {
		if _, err := fmt.Scan(&fields[0], &fields[1], &fields[2], &now); err != nil {
			return
		}
		var bytes [3][]byte
		for i := range fields {
			bytes[i], _ = base64.StdEncoding.DecodeString(fields[i][1:])
		}
		if IsFromSealwright(string(bytes[0]), bytes[1], string(bytes[2]), time.Unix(now, 0)) {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}
`,
    args: (file) => ['run', file],
  },
  {
    language: 'php',
    program: 'php',
    file: 'check.php',
    wrap: (snippet) => `${snippet}
foreach (file('php://stdin') as $line) {
    [$header, $body, $secret, $now] = explode(' ', trim($line));
    [$header, $body, $secret] = array_map(fn ($field) => base64_decode(substr($field, 1)), [$header, $body, $secret]);
    echo is_from_sealwright($header, $body, $secret, (int) $now) ? "1\\n" : "0\\n";
}
`,
    args: (file) => [file],
  },
  {
    language: 'sh',
    program: 'sh',
    file: 'check.sh',
    wrap: (snippet) => `${snippet}
while read -r header body secret now; do
  printf %s "\${body#?}" | base64 -d > "$1/body"
  if is_from_sealwright "$(printf %s "\${header#?}" | base64 -d)" "$1/body" "$(printf %s "\${secret#?}" | base64 -d)" "$now"; then echo 1; else echo 0; fi
done
`,
    args: (file) => [file, path.dirname(file)],
  },
]

/** Programs that the tests need anyway; the others are run where they are installed. */
const ALWAYS = ['ts', 'python', 'go', 'sh']
// oxlint-disable-next-line node/no-process-env -- of the tests, not of the product
const isInstalled = (program: string) =>
  (process.env['PATH'] ?? '').split(':').some((each) => existsSync(path.join(each, program)))
const runners = RUNNERS.filter(({ language, program }) => ALWAYS.includes(language) || isInstalled(program))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-receivers-'))
})
afterAll(() => rm(folder, { recursive: true }))

const blocks = lexer(readChapter('webhooks.md')).filter((token): token is Tokens.Code => token.type === 'code')

describe('the check of signatures in the documentation', () => {
  test('is there in seven languages, once each', () => {
    const languages = blocks.map(({ lang }) => lang)
    for (const language of ['ts', 'python', 'java', 'go', 'csharp', 'php', 'sh'])
      expect(languages.filter((each) => each === language)).toEqual([language])
  })

  test.each(runners)(
    'gives the right verdicts in $language',
    async ({ language, program, file, wrap, args }) => {
      const source = path.join(folder, file)
      await writeFile(source, wrap(blocks.find(({ lang }) => lang === language)!.text))
      // A letter before each field, so that none is empty.
      const fields = (each: Case) =>
        [each.header, each.body, each.secret].map((text) => `x${Buffer.from(text).toString('base64')}`)
      const input = cases.map((each) => `${[...fields(each), each.now].join(' ')}\n`).join('')
      const { exitCode, stdout, stderr } = await runProgram(program, args(source), input)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      const verdicts = stdout.toString().trim().split('\n')
      expect(cases.map(({ name }, index) => `${name}: ${verdicts[index]}`)).toEqual(
        cases.map(({ name, isValid }) => `${name}: ${Number(isValid)}`),
      )
    },
    240_000,
  ) // Go compiles its library the first time
})
