// Checks the import rules of .dependency-cruiser.mjs: node hack/check-imports.mjs [FOLDER...]. Exit code 1 when one is broken.
import { cruise } from 'dependency-cruiser'
import swcVisitor from '@swc/core/Visitor.js'
import config from '../.dependency-cruiser.mjs'

// NOTE: swc's visitor throws on `using` declarations; here they can be treated as variables.
const Visitor = swcVisitor.Visitor ?? swcVisitor
const visitStatement = Visitor.prototype.visitStatement
Visitor.prototype.visitStatement = function visitStatementWithUsing(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['core', 'api', 'workers', 'controller']
const { forbidden, options } = config
const { output, exitCode } = await cruise(folders, { ...options, ruleSet: { forbidden }, validate: true, outputType: 'err' })
console.log(output.trim())
process.exitCode = exitCode === 0 ? 0 : 1
