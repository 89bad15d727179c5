/** `prowess approvals …`: what the user has allowed until further notice, and the end of it. Starts no server and reads no project. */
import type { KeptApproval } from '../../contract/approvals.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

export const listApprovals: CommandAction = (invocation, context) =>
	withApprovals(invocation, context, async (approvals) => {
		const list = await approvals.list(context.signal);
		const { terminal } = context;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson({ ...list, approvals: list.approvals.map(toApprovalJson) }));
			return exitCodes.done;
		}
		terminal.err(list.problems.map((problem) => `${visibleLine(problem)}\n`).join(''));
		if (list.approvals.length === 0) {
			terminal.err(
				'Nothing is allowed until further notice. "Always" and "for this thread" in an approval allow something.\n',
			);
		}
		const places = [...new Set(list.approvals.map(describePlace))];
		const sections = places.map((place) =>
			[`${place}:\n`, ...list.approvals.filter((each) => describePlace(each) === place).map(formatKeptApproval)].join(
				'',
			),
		);
		if (list.secrets.length > 0) {
			sections.push(
				`Stored secrets, each asked about by name:\n${list.secrets.map((name) => `  ${visibleLine(name)}\n`).join('')}`,
			);
		}
		terminal.out(sections.join('\n'));
		return exitCodes.done;
	});

export const revokeApprovals: CommandAction = (invocation, context) => {
	const ids = [...new Set(invocation.operands)];
	const isAll = invocation.switches.has('all');
	if (isAll === ids.length > 0) {
		throw new UsageError('approvals revoke: name the ids that `prowess approvals list` shows, or pass --all');
	}
	return withApprovals(invocation, context, async (approvals) => {
		const revoked = isAll
			? await approvals.reset(context.signal)
			: await revokeEach(approvals, await requireKnownIds(approvals, ids, context.signal), context.signal);
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson(revoked.map(toApprovalJson)));
		} else {
			const lines = revoked.map(({ what }) => `Asks again: ${visibleLine(inEnglish(what))}\n`);
			context.terminal.err(
				lines.length === 0
					? 'Nothing was allowed until further notice.\n'
					: `${lines.join('')}Revoked ${pluralizeCount(lines.length, 'approval')}.\n`,
			);
		}
		return exitCodes.done;
	});
};

/** The ids as they are, once each of them stands for something: otherwise nothing is revoked at all. */
async function requireKnownIds(
	approvals: TrustedBase['approvals'],
	ids: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const { approvals: kept, problems } = await approvals.list(signal);
	const missing = ids.filter((id) => !kept.some((approval) => approval.id === id));
	if (missing.length > 0) {
		const why = problems.length === 0 ? '' : `; ${problems.join('; ')}`;
		throw new ProwessError(
			'NOT_FOUND',
			`no approval has the id ${missing.join(', ')}, so nothing was revoked; \`prowess approvals list\` shows the ids${why}`,
			{ ids: missing },
		);
	}
	return ids;
}

/** Revokes the approvals and returns those that were still there when it was their turn. */
async function revokeEach(
	approvals: TrustedBase['approvals'],
	ids: readonly string[],
	signal: AbortSignal,
): Promise<readonly KeptApproval[]> {
	const revoked: KeptApproval[] = [];
	for (const id of ids) {
		const approval = await approvals.revoke(id, signal);
		if (approval !== undefined) {
			revoked.push(approval);
		}
	}
	return revoked;
}

function withApprovals(
	invocation: Invocation,
	context: CommandContext,
	work: (approvals: TrustedBase['approvals']) => Promise<number>,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) =>
		work((await host.trustedBase()).approvals),
	);
}

function describePlace({ in: place }: KeptApproval): string {
	switch (place.kind) {
		case 'thread':
		case 'level':
			return `In the thread ${place.threadId}`;
		case 'project':
			return `In the project ${place.folders.map(visibleLine).join(', ')}`;
		case 'everywhere':
			return 'In all projects';
		case 'capability':
			return 'Trusted capabilities';
		case 'mcp':
			return 'MCP servers';
		case 'host':
			return 'Addresses on this machine or its network';
	}
}

function formatKeptApproval({ id, what, exact, origin }: KeptApproval): string {
	const lines = [
		inEnglish(what),
		...(exact === null ? [] : [exact]),
		...(origin === null ? [] : [`since ${origin.at.slice(0, 16).replace('T', ' ')} UTC, asked as: ${origin.title}`]),
	];
	return lines.map((line, index) => `  ${(index === 0 ? id : '').padEnd(12)}  ${visibleLine(line)}\n`).join('');
}

/** For programs: the words too, as nobody else has them. */
function toApprovalJson({ id, in: place, what, exact, origin }: KeptApproval): object {
	return { id, in: place, what: inEnglish(what), exact, origin };
}
