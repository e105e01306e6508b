// Reads what a package exports out of its sources: docstrings, signatures, examples. By syntax alone, so
// that it takes no time; what an index re-exports from another package is followed there.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'

/**
 * @typedef {object} Export
 * @property {string} name
 * @property {string} file from the root of the repository
 * @property {string} text of its docstring, without tags
 * @property {readonly { name: string, text: string }[]} tags `@param`, `@throws` and the like
 * @property {readonly string[]} examples
 * @property {string} signature without bodies, with the docstrings of members
 */

const root = resolve(import.meta.dirname, '..')
const entries = {
  '@commworld/transport': 'packages/transport/src/index.ts',
  '@commworld/mpi': 'packages/mpi/src/index.ts',
  '@commworld/mpi/inspect': 'packages/mpi/src/inspect.ts',
}

/**
 * Everything that a source file exports, in its order.
 *
 * @param {string} entry from the root of the repository
 * @returns {Export[]}
 */
export function exportsOf(entry) {
  const found = []
  for (const statement of parsed(entry).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) continue
    const from = moduleOf(entry, statement.moduleSpecifier.text)
    for (const { name, propertyName } of statement.exportClause.elements) {
      found.push({ ...declarationOf(from, (propertyName ?? name).text), name: name.text })
    }
  }
  return found
}

const sources = new Map()

function parsed(file) {
  let source = sources.get(file)
  if (source === undefined) {
    const text = readFileSync(resolve(root, file), 'utf8')
    source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    sources.set(file, source)
  }
  return source
}

function moduleOf(from, specifier) {
  if (!specifier.startsWith('.')) return entries[specifier]
  return resolve('/', dirname(from), specifier).slice(1).replace(/\.js$/, '.ts')
}

/** Where a file declares a name, or re-exports it from. */
function declarationOf(file, name) {
  const source = parsed(file)
  for (const statement of source.statements) {
    if (isNamed(statement, name)) return described(file, source, statement, name)
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue
    const from = moduleOf(file, statement.moduleSpecifier.text)
    if (!statement.exportClause) {
      const beyond = declarationOf(from, name)
      if (beyond) return beyond
    }
    const element = statement.exportClause?.elements.find((one) => one.name.text === name)
    if (element) return declarationOf(from, (element.propertyName ?? element.name).text)
  }
  return undefined
}

function isNamed(statement, name) {
  if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return false
  if (!ts.isVariableStatement(statement)) return statement.name?.text === name
  return statement.declarationList.declarations.some((one) => one.name.text === name)
}

function described(file, source, statement, name) {
  const doc = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc)
  const tags = (doc?.tags ?? []).map((tag) => ({
    name: tag.tagName.text,
    text: tagText(source, tag),
  }))
  return {
    name,
    file,
    text: flowing(ts.getTextOfJSDocComment(doc?.comment) ?? ''),
    tags: tags.filter((tag) => tag.name !== 'example'),
    examples: tags.filter((tag) => tag.name === 'example').map((tag) => tag.text),
    signature: signatureOf(source, statement, name),
  }
}

/** A tag as it is written: parsers take parts of examples for other things. */
function tagText(source, tag) {
  const written = source.text.slice(tag.tagName.end, tag.end)
  const lines = written.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  return lines.join('\n').replace(/\*\/$/, '').trim()
}

/** Paragraphs are one line each; lists stay. */
function flowing(text) {
  return text.replaceAll('\r', '').replace(/([^\n])\n(?![\n-])/g, '$1 ')
}

function signatureOf(source, node, name) {
  if (ts.isFunctionDeclaration(node)) return headOf(source, node, node.body)
  if (ts.isClassDeclaration(node)) return classText(source, node)
  if (!ts.isVariableStatement(node)) return withoutExport(node.getText(source))
  const [declaration] = node.declarationList.declarations
  if (declaration.type) return `const ${name}: ${declaration.type.getText(source)}`
  const value = declaration.initializer.getText(source)
  return value.length < 300 ? `const ${name} = ${value}` : `const ${name}`
}

function headOf(source, node, body) {
  const text = source.text.slice(node.getStart(source), body?.getStart(source) ?? node.end)
  return withoutExport(text.trim())
}

function classText(source, node) {
  const open = node.members.pos
  const head = withoutExport(source.text.slice(node.getStart(source), open).trim())
  const members = node.members
    .filter((member) => isPublic(member))
    .map((member) => {
      const from = member.getFullStart()
      const comment = source.text.slice(from, member.getStart(source)).trim()
      const text = memberText(source, member)
      return `${comment}${comment && '\n'}${text}`.replace(/^ {2}/gm, '').replace(/^/gm, '  ')
    })
  return members.length === 0 ? `${head} }` : `${head}\n${members.join('\n')}\n}`
}

function memberText(source, member) {
  if (member.body) return headOf(source, member, member.body)
  if (!member.initializer || !member.type) return member.getText(source)
  return source.text.slice(member.getStart(source), member.type.end)
}

function isPublic(member) {
  if (member.name && ts.isPrivateIdentifier(member.name)) return false
  if (ts.isClassStaticBlockDeclaration(member)) return false
  if (ts.isConstructorDeclaration(member)) return false
  if (ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal')) return false
  return !member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
}

function withoutExport(text) {
  return text.replace(/^export (default )?/, '').replace(/^async /, '')
}
