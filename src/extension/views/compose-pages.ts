/** Makes the pages and documents that are read beside the chat: ledger, trace, doctor's report, trial of a rule and of redaction. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { WrapWire } from '../../protocol/rpc/wire.ts';
import type { Activity } from '../notices/activity.ts';
import { LedgerPage } from '../ledger/ledger-page.ts';
import { TracePage } from './trace-page.ts';
import { type DoctorPorts, writeDoctorReport } from './doctor.ts';
import { EditorDocuments } from './documents.ts';
import { EditorRedactionPreview } from './redaction-preview.ts';
import { RuleTest } from './rule-test.ts';

interface PagePorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	/** Home of Prowess. */
	readonly home: string;
	base(): Promise<TrustedBase>;
	server(): Promise<Peer>;
	readonly activity: Pick<Activity, 'running'>;
	/** Starts a fresh server, and records what passes between it and this host. */
	restartServer(wrap: WrapWire): Promise<Peer>;
	onShowLedger(): void;
	/** Returns the subjects that the doctor examines beside the trusted base and the server. */
	examined(): Omit<DoctorPorts, 'base' | 'server'>;
}

export type ComposedPages = ReturnType<typeof composePages>;

/** Disposing of the result ends all of them. */
export function composePages(ports: PagePorts) {
	const { log, extensionUri, home, base, server, activity, restartServer, onShowLedger, examined } = ports;
	const store = new DisposableStore();
	const ledgerPage = store.add(
		new LedgerPage({ log, extensionUri, base, server: () => server().catch(() => undefined), onShow: onShowLedger }),
	);
	const tracePage = store.add(
		new TracePage({
			log,
			extensionUri,
			base,
			server,
			activity,
			restartServer,
			version: () => examined().version,
			dist: vscode.Uri.joinPath(extensionUri, 'dist').fsPath,
			home,
			showRecorded: (opId) => ledgerPage.show({ line: `id:${opId}` }),
		}),
	);
	const ruleTest = new RuleTest(base);
	const redactionPreview = new EditorRedactionPreview(base);
	const documents = store.add(
		new EditorDocuments({
			rule: () => ruleTest.text(),
			redaction: () => redactionPreview.text(),
			mcpLog: async () => mcpLogText(await base()),
			doctor: () => writeDoctorReport({ ...examined(), base, server }),
		}),
	);
	return { ledgerPage, tracePage, ruleTest, redactionPreview, documents, dispose: () => store.dispose() };
}

/** The logs of all MCP servers of this window as one document, each below its name. */
async function mcpLogText({ mcp }: Pick<TrustedBase, 'mcp'>): Promise<string> {
	const { servers, problems } = await mcp.list();
	const logs = servers.map(({ name, address }) => {
		const log = escapeInvisible(mcp.log(name), 'lines').trimEnd();
		const head = `# ${name}\n${escapeInvisible(address, 'line')}\n`;
		return `${head}${log === '' ? vscode.l10n.t('It has not been started in this window.') : log}\n`;
	});
	return [...problems.map((problem) => `${escapeInvisible(problem, 'line')}\n`), ...logs].join('\n');
}
