/**
 * Offers capabilities as tools to the editor's own agents. A tool must be declared in advance, so two tools serve all
 * capabilities: one lists them, one runs them. A run takes the same way as everything that the user runs: consent,
 * broker, ledger.
 */
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { extensionLimits } from '../editor/limits.ts';
import { toAbortSignal } from '../editor/signals.ts';
import type { Catalog } from './catalog.ts';
import { formatCodeBlock } from './texts/value-texts.ts';

interface ToolPorts {
	base(): Promise<TrustedBase>;
	readonly catalog: Catalog;
	showChat(): Promise<void>;
}

export interface RunInput {
	readonly name: string;
	readonly type?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly tool?: string;
}

export interface ListInput {
	/** Words that name or description hold, all of them. */
	readonly query?: string;
}

export class LanguageModelTools {
	readonly #ports: ToolPorts;

	constructor(ports: ToolPorts) {
		this.#ports = ports;
	}

	async list({ query = '' }: ListInput): Promise<vscode.LanguageModelToolResult> {
		const words = query
			.toLowerCase()
			.split(/\s+/)
			.filter((word) => word !== '');
		const { capabilities } = await this.#ports.catalog.list();
		const found = capabilities.filter(({ manifest: { name, type, description, modelInvocable }, isEnabled }) => {
			const text = `${name} ${type} ${description}`.toLowerCase();
			return isEnabled && modelInvocable && words.every((word) => text.includes(word));
		});
		const { readWorkerTools } = await import('../../catalog/tools-of-files.ts');
		return toToolResult(
			await Promise.all(
				found.map(async ({ manifest, path }) => {
					const { name, type, description, inputs } = manifest;
					const tools = await readWorkerTools(manifest, path).catch(() => undefined);
					return { name, type, description, inputs, ...(tools === undefined ? {} : { tools }) };
				}),
			),
		);
	}

	/**
	 * Builds the editor's question from what the model asks for, because the capability has not been looked up at this
	 * point.
	 */
	confirmation({ name, type, params = {} }: RunInput): vscode.PreparedToolInvocation {
		const what = escapeInvisible(type === undefined ? name : `${type} ${name}`, 'line').slice(
			0,
			extensionLimits.toolNameCharacters,
		);
		return {
			invocationMessage: vscode.l10n.t('Running {0}', what),
			confirmationMessages: {
				title: vscode.l10n.t('Run {0} with Prowess?', what),
				message: new vscode.MarkdownString(formatCodeBlock(JSON.stringify(params, undefined, 2), 'json')),
			},
		};
	}

	/** The result as the capability has it; its failure is one too, and not an error of the tool. */
	async run(
		{ name, type, params, tool }: RunInput,
		token: vscode.CancellationToken,
	): Promise<vscode.LanguageModelToolResult> {
		const { capabilities } = await this.#ports.base();
		const linked = toAbortSignal(token);
		try {
			const result = await capabilities.run(
				{
					capability: { name, ...(type === undefined ? {} : { type }) },
					params: params ?? {},
					...(tool === undefined ? {} : { tool }),
					caller: { kind: 'user', threadId: null },
					parentAgentId: 'vscode.lm',
					onWaiting: (isWaiting) => {
						if (isWaiting) void this.#ports.showChat();
					},
				},
				linked.signal,
			);
			return toToolResult(result);
		} catch (error) {
			// The model reads it and can do better; only a stop is none of its business.
			if (isProwessError(error)) {
				return toToolResult({
					success: false,
					error: { code: error.code, message: error.message, facts: error.facts },
				});
			}
			throw error;
		} finally {
			linked.dispose();
		}
	}
}

function toToolResult(value: unknown): vscode.LanguageModelToolResult {
	const text = JSON.stringify(value);
	const cut =
		text.length > extensionLimits.toolResultCharacters
			? `${text.slice(0, extensionLimits.toolResultCharacters)}…`
			: text;
	return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(cut)]);
}
