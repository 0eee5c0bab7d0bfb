// A rule of oxlint: every regular expression takes linear time, whatever text it is used on. Expressions that are built must be built from constants,
// so that the rule can read them. It finds what repeats one character; test/unit/worst-text.test.ts tries longer repetitions.
import { analyse } from 'scslre'

const MESSAGES = {
  unknown: 'Build the expression from constants of this file, so that its running time can be checked.',
  superLinear: 'Takes more than linear time on a text that repeats {{ character }}.',
}

export default {
  meta: { name: 'sealwright' },
  rules: {
    'linear-expressions': {
      meta: { type: 'problem', messages: MESSAGES },
      create(context) {
        const check = (node, source, flags) => {
          for (const report of reportsOf(source, flags))
            context.report({ node, messageId: 'superLinear', data: { character: JSON.stringify(report.character.pick) } })
        }
        const checkCall = (node) => {
          if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
          const [source, flags] = node.arguments.map((argument) => textOf(argument, context.sourceCode))
          if (source === undefined || (flags === undefined && node.arguments.length > 1))
            context.report({ node, messageId: 'unknown' })
          else check(node, source, flags ?? '')
        }
        return {
          Literal(node) {
            if (node.regex) check(node, node.regex.pattern, node.regex.flags)
          },
          NewExpression: checkCall,
          CallExpression: checkCall,
        }
      },
    },
  },
}

/** A sticky expression is tried at one place only. */
function reportsOf(source, flags) {
  return analyse({ source, flags }, { reportTypes: { Move: !flags.includes('y') } }).reports
}

/** The value of a constant text; undefined for anything else. */
function textOf(node, sourceCode) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') return joined(node, 'cooked', sourceCode)
  if (node.type === 'TaggedTemplateExpression')
    return sourceCode.getText(node.tag) === 'String.raw' ? joined(node.quasi, 'raw', sourceCode) : undefined
  const initial = node.type === 'Identifier' && constantOf(node, sourceCode)
  return initial ? textOf(initial, sourceCode) : undefined
}

function joined({ quasis, expressions }, form, sourceCode) {
  const values = expressions.map((expression) => textOf(expression, sourceCode))
  return values.includes(undefined) ? undefined : quasis.map(({ value }, index) => value[form] + (values[index] ?? '')).join('')
}

function constantOf({ name }, sourceCode) {
  for (let scope = sourceCode.getScope(sourceCode.ast); scope; scope = scope.childScopes.find(({ type }) => type === 'module')) {
    const definition = scope.set.get(name)?.defs[0]
    if (definition?.parent?.kind === 'const') return definition.node.init
  }
  return undefined
}
