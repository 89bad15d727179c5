/** Makers of the pages of each kind; each reads the present state. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import * as z from '../../../protocol/text/zod.ts';
import { offerRequests } from '../../../protocol/offer/capability-offer.ts';
import { listOfferable } from '../../../protocol/offer/offerable.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { CapabilityRef } from '../../../protocol/capability/marketplace.ts';
import { approvalsPage, type KnownThreads } from './approvals-page.ts';
import type { PageMakers } from './capability-pages.ts';
import type { Catalog, CatalogCapability } from '../catalog.ts';
import type { KeptParams } from '../commands/kept-params.ts';
import { listFormInputs, keptName } from '../commands/run-capability.ts';
import type { ShownExecutions } from '../view/executions.ts';
import { capabilityPage } from './capability-page.ts';
import { executionPage } from './execution-page.ts';
import { offerPage, PROMPT_FIELD } from './offer-page.ts';
import { overridesPage } from './overrides-page.ts';
import { packagePage } from './package-page.ts';
import type { FieldPorts } from './run-fields.ts';
import { runPage } from './run-page.ts';

/** Which capability, and which tool of it, a form is about. */
export const RunAddress = z.object({ type: z.string(), name: z.string(), tool: z.string().optional() });
export type RunAddress = z.infer<typeof RunAddress>;

interface PageSources {
	base(): Promise<TrustedBase>;
	readonly catalog: Catalog;
	readonly executions: ShownExecutions;
	readonly kept: KeptParams;
	/** Texts that were typed into forms and not sent, by the addresses of the forms. */
	readonly typed: KeptParams;
	readonly fields: FieldPorts;
	server(): Promise<Peer>;
	/** Makes the page *Automation*, whose subjects lie beside the capabilities. */
	readonly automation: PageMakers['automation'];
	/** Threads by id. */
	knownThreads(signal: AbortSignal): Promise<KnownThreads>;
}

export function pageMakers({
	base,
	catalog,
	executions,
	kept,
	typed,
	fields,
	server,
	automation,
	knownThreads,
}: PageSources): PageMakers {
	return {
		execution: async (id) => {
			const execution = executions.find(id);
			if (execution === undefined) {
				throw new ProwessError('NOT_FOUND', vscode.l10n.t('This execution is no longer available.'));
			}
			const { type, name } = execution.info;
			const { capabilities } = await catalog.list();
			const capability = capabilities.find(({ manifest }) => manifest.type === type && manifest.name === name);
			return executionPage(execution, await (await base()).changes.list(id), capability);
		},
		/** `of` is `<type>/<name>`. */
		capability: async (id) => {
			const [type = '', name = ''] = id.split('/', 2);
			const capability = await requireCapability(catalog, type, name);
			const { capabilities, marketplace } = await base();
			const { path, source } = capability;
			const [isTrusted, packages, rights] = await Promise.all([
				// Built-in capabilities need no consent; without an executor there is nothing to consent to yet, so the
				// call rejects.
				source === 'built-in'
					? undefined
					: capabilities.isTrusted({ capability: { folder: path } }).catch(() => undefined),
				marketplace.installed(),
				// The page promises what the consent names.
				capabilities.askedRights({ capability: { folder: path } }).catch(() => ({})),
			]);
			const asked = { ...capability, manifest: { ...capability.manifest, ...rights } };
			return capabilityPage({ capability: asked, isTrusted, installed: packages.find((each) => each.path === path) });
		},
		/** `of` is a `RunAddress`, as JSON. */
		run: async (of) => {
			const { type, name, tool: toolName } = RunAddress.parse(JSON.parse(of));
			const capability = await requireCapability(catalog, type, name);
			const { manifest, path } = capability;
			const tool = toolName === undefined ? undefined : await toolNamed(toolName, manifest, path);
			const inputs = listFormInputs(manifest, tool);
			const takesSecret = inputs.some(({ format }) => format === 'secret');
			return runPage({
				capability,
				tool,
				inputs,
				ports: fields,
				secrets: takesSecret ? [...(await fields.userSecrets.secrets.list())].toSorted() : [],
				kept: kept.get(type, keptName(name, toolName)),
				typed: typed.get('run', of),
			});
		},
		/** `of` is the id of the approval to show first, or empty. */
		approvals: async (marked, signal) => {
			const list = await (await base()).approvals.list(signal);
			const isTitleNeeded = list.approvals.some((approval) => 'threadId' in approval.in);
			return approvalsPage({ list, marked, threads: isTitleNeeded ? await knownThreads(signal) : new Map() });
		},
		/** `of` is the id of an open approval. */
		question: async (id, signal) => {
			const [{ desk, policy }, { questionPage }] = await Promise.all([base(), import('./question-page.ts')]);
			const approval = desk.current.approvals.find((each) => each.id === id);
			if (approval === undefined) {
				throw new ProwessError('NOT_FOUND', vscode.l10n.t('This question was answered or has expired.'));
			}
			return questionPage(approval, await policy.why(approval.id, signal));
		},
		automation,
		/** `of` is the id of a thread. */
		browser: async (of, signal) => {
			const { browserPage } = await import('./browser-page.ts');
			return await browserPage((await base()).pages, of, signal);
		},
		/** `of` is the prompt. */
		offer: async (prompt, signal) => {
			const { capabilities: all } = await base();
			const { capabilities } = await all.available();
			const used = [...(await all.usedHere())];
			const wait = deriveSignal(signal, {
				what: 'what the agent is told of capabilities',
				timeoutMs: extensionLimits.offerMs,
			});
			try {
				const params = { capabilities: listOfferable(capabilities), text: prompt, used };
				const offer = await (await server()).call(offerRequests.explain, params, wait.signal);
				const kept = typed.get('run', prompt)[PROMPT_FIELD];
				return offerPage(offer, typeof kept === 'string' ? kept : prompt);
			} finally {
				wait.dispose();
			}
		},
		overrides: async () => overridesPage(await catalog.list()),
		/** `of` is a reference, as JSON. */
		package: async (ref, signal) => {
			const { marketplace } = await base();
			const details = await marketplace.show(CapabilityRef.parse(JSON.parse(ref)), signal);
			const { type, name } = details.listing;
			const installed = (await marketplace.installed()).filter((each) => each.type === type && each.name === name);
			const { capabilities } = await catalog.list();
			return packagePage(
				details,
				installed,
				capabilities.find(({ manifest }) => manifest.type === type && manifest.name === name),
			);
		},
	};
}

/** Rejects with CAPABILITY_NOT_FOUND. */
async function requireCapability(catalog: Catalog, type: string, name: string): Promise<CatalogCapability> {
	const { capabilities } = await catalog.list();
	const capability = capabilities.find(({ manifest }) => manifest.type === type && manifest.name === name);
	if (capability === undefined) {
		throw new ProwessError('CAPABILITY_NOT_FOUND', vscode.l10n.t('{0} no longer exists.', `${type}/${name}`));
	}
	return capability;
}

/** Rejects with NOT_FOUND: its file has changed. */
async function toolNamed(name: string, manifest: CatalogCapability['manifest'], path: string): Promise<WorkerTool> {
	const { readWorkerTools } = await import('../../../catalog/tools-of-files.ts');
	const tool = (await readWorkerTools(manifest, path))?.find((each) => each.name === name);
	if (tool === undefined) {
		throw new ProwessError('NOT_FOUND', vscode.l10n.t('{0} no longer exists.', `${manifest.name} · ${name}`), { name });
	}
	return tool;
}
