/** A Markdown file as instructions for a model: what stands in its front matter about tools, and the body. */
import { opsOfForeignTool } from '../../protocol/op-table/foreign-tools.ts';

interface ParsedInstructions {
	readonly body: string;
	/** Ops, from `allowed-tools` of a power, which gets no others; undefined when it says nothing. Names that mean nothing here are left out. */
	readonly tools: readonly string[] | undefined;
}

export function readInstructions(text: string): ParsedInstructions {
	const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
	const body = (front === null ? text : text.slice(front[0].length)).trim();
	return { body, tools: front === null ? undefined : readAllowedTools(front[1] ?? '') };
}

function readAllowedTools(front: string): readonly string[] | undefined {
	const field = /^allowed-tools:[ \t]*(.*(?:\r?\n[ \t]*-.*)*)/m.exec(front)?.[1];
	if (field === undefined) return undefined;
	// `Bash(git add *), Read` are two; what stands in brackets is for the gate to judge.
	const names = field.match(/[A-Za-z][\w.]*(?:\([^)]*\))?/g) ?? [];
	return [...new Set(names.flatMap((name) => resolveToolOps(name.replace(/\(.*$/s, ''))))];
}

function resolveToolOps(name: string): readonly string[] {
	return opsOfForeignTool(name) ?? (/^[a-z]+\.[A-Za-z]+$/.test(name) ? [name] : []);
}
