/**
 * Looks of each op's calls in the chat: the part of its definition that the page reads. Apart from `params` and
 * `result`, because the page must not carry their schemas: this file imports types of ops only. An op with a `tool` does
 * not compile without its line here.
 */
import { toolName } from './op-tool.ts';
import type { OpInput, ToolOp } from './ops.ts';

interface OpCard<Param extends string = string> {
	/** Name of a codicon. */
	readonly icon: string;
	/** Param with the path of a file that the card opens; absent: it opens none. */
	readonly file?: Param;
	/** True: the params are a command, shown as a line; absent: they are shown as JSON. */
	readonly isCommand?: true;
	/** Param that is Markdown, and all there is to show. */
	readonly markdown?: Param;
	/** True: it only looks at the workspace, so that several calls in a row may stand as one. */
	readonly isRead?: true;
	/** True: its output is what the user answered. */
	readonly isAnswered?: true;
	/** True: it runs a capability, whose steps stand below it. */
	readonly isRun?: true;
	/** True: what it stores is shown above the input all the time. */
	readonly hasStrip?: true;
}

const cards: { readonly [N in ToolOp]: OpCard<keyof OpInput<N> & string> } = {
	'fs.read': { icon: 'file', file: 'path', isRead: true },
	'fs.list': { icon: 'folder', isRead: true },
	'fs.find': { icon: 'list-tree', isRead: true },
	'search.text': { icon: 'search', isRead: true },
	'search.code': { icon: 'search-sparkle', isRead: true },
	'fs.edit': { icon: 'edit', file: 'path' },
	'fs.write': { icon: 'new-file', file: 'path' },
	'fs.move': { icon: 'arrow-right' },
	'fs.delete': { icon: 'trash' },
	'shell.run': { icon: 'terminal', isCommand: true },
	'shell.output': { icon: 'terminal' },
	'shell.stop': { icon: 'debug-stop' },
	'editor.diagnostics': { icon: 'warning', isRead: true },
	'editor.symbols': { icon: 'symbol-method', isRead: true },
	'editor.references': { icon: 'references', isRead: true },
	'git.status': { icon: 'source-control', isRead: true },
	'git.diff': { icon: 'git-compare', isRead: true },
	'http.get': { icon: 'globe' },
	'user.ask': { icon: 'question', isAnswered: true },
	'todo.write': { icon: 'checklist', hasStrip: true },
	'plan.write': { icon: 'checklist', markdown: 'plan' },
	'capability.list': { icon: 'tools' },
	'capability.detail': { icon: 'tools' },
	'capability.start': { icon: 'tools', isRun: true },
	'capability.status': { icon: 'tools' },
	'capability.stop': { icon: 'tools' },
	'editor.refactor': { icon: 'edit' },
	'editor.comment': { icon: 'comment' },
	'fs.stat': { icon: 'info' },
	'http.request': { icon: 'globe' },
	'sql.query': { icon: 'database' },
	'sql.execute': { icon: 'database' },
	'plist.parse': { icon: 'file' },
	'web.search': { icon: 'globe' },
	'browser.open': { icon: 'browser' },
	'browser.look': { icon: 'browser' },
	'browser.act': { icon: 'browser' },
	'mcp.tools': { icon: 'plug' },
	'mcp.call': { icon: 'plug' },
	'schedule.add': { icon: 'calendar' },
	'script.run': { icon: 'run-all' },
	'goal.start': { icon: 'target', markdown: 'plan' },
	'goal.verdict': { icon: 'target' },
	'agent.spawn': { icon: 'organization', markdown: 'task' },
	'agent.send': { icon: 'organization' },
	'agent.list': { icon: 'organization' },
	'agent.stop': { icon: 'organization' },
	'agent.apply': { icon: 'organization' },
	'mcp.resources': { icon: 'plug' },
	'mcp.read': { icon: 'plug' },
	'memory.remember': { icon: 'lightbulb' },
	'memory.recall': { icon: 'lightbulb' },
	'memory.forget': { icon: 'trash' },
};

const cardOfTool: ReadonlyMap<string, OpCard> = new Map(
	Object.entries(cards).map(([op, card]) => [toolName(op), card]),
);

/** Card of a call, by the name that the model used. Anything else, such as a tool that a model invents, has a plain one. */
export function opCard(tool: string): OpCard {
	return cardOfTool.get(tool) ?? { icon: 'tools' };
}
