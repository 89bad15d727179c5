/** The rules in force, as the rest of the host looks at them. */
import type { Explanation, WhyAsked } from '../../contract/decision.ts';
import type { ApprovalDesk } from '../../contract/approvals.ts';
import type { ApprovalId } from '../../protocol/rpc/ids.ts';
import type { HookInForce } from '../gate/hooks/hooks-in-force.ts';
import type { RulesInForce } from '../gate/policy/workspace/policy-text.ts';
import type { Broker } from './broker.ts';
import { explainOp, explainAsked, type ExplainDeps } from './checks/explain.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { UserHooks } from '../gate/hooks/user-hooks.ts';
import type { ThreadLevels } from '../gate/policy/levels/thread-levels.ts';
import type { ThreadModes } from '../gate/policy/levels/thread-modes.ts';
import type { ProjectRules } from '../gate/policy/rules/project-rules.ts';
import { unmatchableRules } from '../gate/policy/rules/unmatchable-rules.ts';
import { rulesInForce, rulesProblems } from '../gate/policy/rules/user-rules.ts';
import type { WorkspacePolicies } from '../gate/policy/workspace/workspace-policies.ts';

/** The rules in force, to be looked at. */
export interface PolicyView {
	/** Rules and hooks that cannot be read, and so make a question or a refusal of everything; rules a workspace may not make; patterns of secrets that are not used. */
	problems(signal: AbortSignal): Promise<readonly string[]>;
	/** Explains how an op would be decided: `op params-or-command-or-path`. Does, asks and records nothing. */
	explain(question: string, signal: AbortSignal): Promise<Explanation>;
	/** Why an open approval asks, and what would let it pass. Undefined when it is not open any more, or asks about no op. */
	why(approvalId: ApprovalId, signal: AbortSignal): Promise<WhyAsked | undefined>;
	/** Programs of the user, and where each runs here and now. */
	hooks(): Promise<readonly HookInForce[]>;
	rules(signal: AbortSignal): Promise<RulesInForce>;
}

interface PolicyRegisterDeps extends Omit<ExplainDeps, 'grants'> {
	readonly ports: HostPorts;
	readonly broker: Pick<Broker, 'grants' | 'underWay'>;
	readonly desk: Pick<ApprovalDesk, 'current'>;
	readonly hooks: UserHooks;
	readonly policies: WorkspacePolicies;
	readonly projectRules: ProjectRules;
	readonly levels: ThreadLevels;
	readonly modes: ThreadModes;
	/** Patterns of secrets that are not used, each with its reason. */
	redactionProblems(): readonly string[];
}

export function policyRegister(deps: PolicyRegisterDeps): PolicyView {
	const { broker, desk, hooks, levels, modes, policies, projectRules } = deps;
	const { settings } = deps.ports;
	const createExplainDeps = () => ({ ...deps, grants: broker.grants });
	return {
		async problems(signal) {
			await Promise.all([policies, projectRules, levels, modes].map((each) => each.refresh(signal)));
			const ofProject = projectRules.problem === undefined ? [] : [projectRules.problem];
			const ofWorkspace = [...policies.problems, ...unmatchableRules(policies.current)];
			const ofThreads = [...levels.strict.unreadable, ...(modes.problem === undefined ? [] : [modes.problem])];
			return [...rulesProblems(settings), ...ofWorkspace, ...ofProject, ...ofThreads, ...deps.redactionProblems()];
		},
		explain: (question, signal) => explainOp(createExplainDeps(), question, signal),
		async why(approvalId, signal) {
			const approval = desk.current.approvals.find(({ id }) => id === approvalId);
			const op = approval === undefined ? undefined : broker.underWay(approval.opId);
			return op === undefined ? undefined : await explainAsked(createExplainDeps(), op.asked, op.caller, signal);
		},
		hooks: () => hooks.inForce(),
		async rules(signal) {
			await Promise.all([policies.refresh(signal), projectRules.refresh(signal)]);
			return { ...rulesInForce(settings, policies, projectRules), hooks: await hooks.inForce() };
		},
	};
}
