/** Exported async functions of a JavaScript or TypeScript module, and what the JSDoc comment before each says. */
import type { ToolInput, WorkerTool } from './worker-tool.ts';

/** At the left margin, with the comment that ends right before it. */
const EXPORTS =
	/(?:\/\*\*((?:[^*]|\*(?!\/))*)\*\/[ \t]*\r?\n)?^export[ \t]+(?:async[ \t]+function[ \t]+([A-Za-z$][\w$]*)[ \t]*(?:<[^(]*>)?\(([^)]{0,2000})|(?:const|let)[ \t]+([A-Za-z$][\w$]*)[ \t]*=[ \t]*async\b[ \t]*(?:function[ \t]*\w*[ \t]*)?\(?([^)]{0,2000}))/gm;

export function javaScriptTools(text: string): WorkerTool[] {
	return [...text.matchAll(EXPORTS)].map(([, comment = '', named, head, assigned, arrowHead]) => {
		const inputs = inputsIn(comment);
		return {
			name: named ?? assigned ?? '',
			description: readCommentSummary(comment),
			inputs,
			// Without a word about its params, it gets whatever is given.
			takesMore: inputs.length === 0 && (head ?? arrowHead ?? '').trim() !== '',
		};
	});
}

function readCommentSummary(comment: string): string {
	const [first = ''] = splitCommentLines(comment).filter((line) => line !== '');
	return first.startsWith('@') ? '' : first;
}

function splitCommentLines(comment: string): string[] {
	return comment.split(/\r?\n/).map((line) => line.replace(/^\s*\*? ?/, '').trim());
}

/** `@param {string} q - what to look for`, `@param {number} [params.limit=5]`; a `{object} params` above its members is none. */
function inputsIn(comment: string): ToolInput[] {
	const params = splitCommentLines(comment).flatMap((line) => {
		const [, type = '', written = '', description = ''] =
			/^@param\s+\{([^}]{1,200})\}\s+(\[[^\]]{1,200}\]|[\w$.]{1,100})\s*-?\s*(.*)$/.exec(line) ?? [];
		return written === '' ? [] : [{ type, written, description }];
	});
	const names = params.map(({ written }) => /^\[?\s*([\w$.]+)/.exec(written)?.[1] ?? '');
	return params.flatMap(({ type, written, description }, at) => {
		const path = names[at] ?? '';
		if (path === '' || names.some((other) => other.startsWith(`${path}.`))) return [];
		return [
			{
				name: path.slice(path.lastIndexOf('.') + 1),
				...parseJsDocType(type),
				required: !written.startsWith('[') && !type.trim().endsWith('='),
				...(description === '' ? {} : { description }),
			},
		];
	});
}

const JSDOC_TYPES: Readonly<Partial<Record<string, ToolInput['type']>>> = {
	string: 'string',
	number: 'number',
	boolean: 'boolean',
	object: 'object',
	Object: 'object',
	array: 'array',
	Array: 'array',
};

function parseJsDocType(written: string): Pick<ToolInput, 'type' | 'items'> {
	const plain = written.trim().replace(/=$/, '');
	const [, entry] = /^(?:Array<\s*(\w+)\s*>|(\w+)\[\])$/.exec(plain)?.filter((each) => each !== undefined) ?? [];
	if (entry !== undefined) {
		const items = JSDOC_TYPES[entry];
		return { type: 'array', ...(items === undefined || items === 'array' || items === 'any' ? {} : { items }) };
	}
	return { type: JSDOC_TYPES[plain] ?? (plain.startsWith('{') || plain.startsWith('Record<') ? 'object' : 'any') };
}
