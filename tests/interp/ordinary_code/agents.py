"""Policies, buffers and updates."""
import copy
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical, Independent, Normal, TransformedDistribution, kl_divergence
from torch.distributions.transforms import TanhTransform

Transition = namedtuple("Transition", "obs action reward next_obs done")
LOG_STD_MIN, LOG_STD_MAX = -5, 2


def mlp(sizes, act=nn.Tanh, out=nn.Identity):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers += [nn.Linear(a, b), act() if i < len(sizes) - 2 else out()]
    return nn.Sequential(*layers)


def layer_init(layer, std=np.sqrt(2), bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class RunningMeanStd(nn.Module):
    def __init__(self, shape=(4,), clip=5.0):
        super().__init__()
        self.register_buffer("mean", torch.zeros(shape))
        self.register_buffer("var", torch.ones(shape))
        self.register_buffer("count", torch.tensor(1e-4))
        self.clip = clip

    @torch.no_grad()
    def update(self, x):
        mean, var, n = x.mean(0), x.var(0, unbiased=False), x.shape[0]
        delta = mean - self.mean
        total = self.count + n
        m2 = self.var * self.count + var * n + delta.pow(2) * self.count * n / total
        self.mean += delta * n / total
        self.var.copy_(m2 / total)
        self.count.fill_(total)

    def forward(self, x):
        if self.training:
            self.update(x)
        return ((x - self.mean) / torch.sqrt(self.var + 1e-8)).clamp(-self.clip, self.clip)


class ActorCritic(nn.Module):
    def __init__(self, obs=4, act=2, hidden=8, continuous=False):
        super().__init__()
        self.norm = RunningMeanStd((obs,))
        self.actor = mlp([obs, hidden, act])
        self.critic = mlp([obs, hidden, 1])
        self.continuous = continuous
        if continuous:
            self.log_std = nn.Parameter(torch.zeros(1, act))

    def dist(self, obs):
        mean = self.actor(obs)
        if self.continuous:
            return Normal(mean, self.log_std.expand_as(mean).exp())
        return Categorical(logits=mean)

    def forward(self, obs, action=None):
        obs = self.norm(obs)
        pi = self.dist(obs)
        if action is None:
            action = pi.sample()
        logp = pi.log_prob(action)
        if self.continuous:
            logp = logp.sum(-1)
        return action, logp, pi.entropy(), self.critic(obs).squeeze(-1)


class PPOLoss(nn.Module):
    def __init__(self, policy, clip=0.2, vf=0.5, ent=0.01, target_kl=0.015):
        super().__init__()
        self.policy = policy
        self.clip, self.vf, self.ent, self.target_kl = clip, vf, ent, target_kl
        self.clipfracs = []
        self.stop = False

    def forward(self, obs, act, old_logp, adv, ret, old_v):
        _, logp, entropy, v = self.policy(obs, act)
        logratio = logp - old_logp
        ratio = logratio.exp()
        with torch.no_grad():
            approx_kl = ((ratio - 1) - logratio).mean()
            self.clipfracs += [((ratio - 1.0).abs() > self.clip).float().mean().item()]
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        pg = torch.max(-adv * ratio, -adv * ratio.clamp(1 - self.clip, 1 + self.clip)).mean()
        v_clipped = old_v + (v - old_v).clamp(-self.clip, self.clip)
        vl = 0.5 * torch.max((v - ret) ** 2, (v_clipped - ret) ** 2).mean()
        if self.target_kl is not None and approx_kl > 1.5 * self.target_kl:
            self.stop = True
        return pg - self.ent * entropy.mean() + self.vf * vl


class GAE(nn.Module):
    def __init__(self, gamma=0.99, lam=0.95):
        super().__init__()
        self.gamma, self.lam = gamma, lam

    def forward(self, rewards, values, dones, last_value):
        steps = rewards.shape[0]
        adv = torch.zeros_like(rewards)
        running = 0
        for t in reversed(range(steps)):
            nxt = last_value if t == steps - 1 else values[t + 1]
            mask = 1.0 - dones[t].float()
            delta = rewards[t] + self.gamma * nxt * mask - values[t]
            running = delta + self.gamma * self.lam * mask * running
            adv[t] = running
        return adv, adv + values


class Discounted(nn.Module):
    """Returns of episodes that end in the batch."""

    def __init__(self, gamma=0.9, normalize=True):
        super().__init__()
        self.gamma, self.normalize = gamma, normalize

    def forward(self, rewards, terminals):
        returns = []
        total = 0
        for reward, is_terminal in zip(reversed(rewards), reversed(terminals)):
            if is_terminal:
                total = 0
            total = reward + self.gamma * total
            returns.insert(0, total)
        returns = torch.tensor(returns, dtype=torch.float32)
        if self.normalize:
            returns = (returns - returns.mean()) / (returns.std() + 1e-7)
        return returns


class DiscountedList(Discounted):
    def forward(self, rewards: list, terminals: list):
        return super().forward(rewards, terminals)


class SquashedActor(nn.Module):
    def __init__(self, obs=4, act=2, hidden=8):
        super().__init__()
        self.net = mlp([obs, hidden, hidden], nn.ReLU, nn.ReLU)
        self.mu = nn.Linear(hidden, act)
        self.log_std = nn.Linear(hidden, act)
        self.register_buffer("scale", torch.tensor(2.0))
        self.register_buffer("shift", torch.tensor(0.0))

    def forward(self, obs, deterministic=False, with_logprob=True):
        h = self.net(obs)
        mu = self.mu(h)
        log_std = torch.tanh(self.log_std(h))
        log_std = LOG_STD_MIN + 0.5 * (LOG_STD_MAX - LOG_STD_MIN) * (log_std + 1)
        normal = Normal(mu, log_std.exp())
        x = mu if deterministic else normal.rsample()
        y = torch.tanh(x)
        action = y * self.scale + self.shift
        if not with_logprob:
            return action, None
        logp = normal.log_prob(x) - torch.log(self.scale * (1 - y.pow(2)) + 1e-6)
        return action, logp.sum(-1, keepdim=True)


class TanhActor(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.net = nn.Linear(obs, 2 * act)

    def forward(self, obs):
        mu, log_std = self.net(obs).chunk(2, -1)
        base = Independent(Normal(mu, F.softplus(log_std)), 1)
        dist = TransformedDistribution(base, [TanhTransform(cache_size=1)])
        action = dist.rsample()
        return action, dist.log_prob(action)


class ReplayBuffer:
    def __init__(self, capacity=32, obs=4, act=2):
        self.obs = torch.zeros(capacity, obs)
        self.act = torch.zeros(capacity, act)
        self.rew = torch.zeros(capacity)
        self.done = torch.zeros(capacity, dtype=torch.bool)
        self.capacity, self.ptr, self.size = capacity, 0, 0

    def add(self, obs, act, rew, done):
        self.obs[self.ptr] = obs
        self.act[self.ptr] = act
        self.rew[self.ptr] = rew
        self.done[self.ptr] = bool(done)
        self.ptr = (self.ptr + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        idx = torch.randint(0, self.size, (n,))
        return self.obs[idx], self.act[idx], self.rew[idx], self.done[idx]


class DequeBuffer:
    def __init__(self, capacity=16):
        self.items = deque(maxlen=capacity)

    def push(self, *args):
        self.items.append(Transition(*args))

    def sample(self, n):
        idx = np.random.choice(len(self.items), n, replace=False)
        batch = Transition(*zip(*[self.items[i] for i in idx]))
        return torch.stack(batch.obs), torch.stack(batch.action), torch.tensor(batch.reward)


class Collector(nn.Module):
    """Acts, remembers, and gives a batch."""

    def __init__(self, actor=None, warmup=0):
        super().__init__()
        self.actor = actor or SquashedActor()
        self.buffer = ReplayBuffer()
        self.warmup = warmup
        self.total = 0

    def forward(self, obs):
        self.total += 1
        if self.total <= self.warmup:
            action = torch.rand(2) * 2 - 1
        else:
            with torch.no_grad():
                action, _ = self.actor(obs, with_logprob=False)
        reward = -(action ** 2).sum()
        self.buffer.add(obs, action, reward, reward < -3)
        return self.buffer.sample(4)


class OffPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = mlp([6, 8, 1])
        self.memory = DequeBuffer()

    def forward(self, obs, act):
        for o, a in zip(obs, act):
            self.memory.push(o, a, float(o.sum()), o, False)
        o, a, r = self.memory.sample(2)
        return F.mse_loss(self.q(torch.cat([o, a], -1)).squeeze(-1), r)


class SAC(nn.Module):
    def __init__(self, obs=4, act=2, tau=0.005, target_entropy=-2.0):
        super().__init__()
        self.actor = SquashedActor(obs, act)
        self.q1, self.q2 = mlp([obs + act, 8, 1]), mlp([obs + act, 8, 1])
        self.q1_target, self.q2_target = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        for p in [*self.q1_target.parameters(), *self.q2_target.parameters()]:
            p.requires_grad_(False)
        self.log_alpha = nn.Parameter(torch.zeros(1))
        self.tau, self.target_entropy = tau, target_entropy
        self.updates = 0
        self.info = {}

    @property
    def alpha(self):
        return self.log_alpha.exp()

    def soft_update(self):
        with torch.no_grad():
            for net, target in ((self.q1, self.q1_target), (self.q2, self.q2_target)):
                for p, t in zip(net.parameters(), target.parameters()):
                    t.data.mul_(1 - self.tau).add_(self.tau * p.data)

    def critic_loss(self, obs, act, rew, nxt, done):
        with torch.no_grad():
            a2, logp = self.actor(nxt)
            x = torch.cat([nxt, a2], -1)
            target = torch.min(self.q1_target(x), self.q2_target(x)) - self.alpha.detach() * logp
            backup = rew.unsqueeze(-1) + 0.99 * (1 - done.float()).unsqueeze(-1) * target
        x = torch.cat([obs, act], -1)
        return F.mse_loss(self.q1(x), backup) + F.mse_loss(self.q2(x), backup)

    def forward(self, obs, act, rew, nxt, done):
        loss_q = self.critic_loss(obs, act, rew, nxt, done)
        pi, logp = self.actor(obs)
        q = torch.min(self.q1(torch.cat([obs, pi], -1)), self.q2(torch.cat([obs, pi], -1)))
        loss_pi = (self.alpha.detach() * logp - q).mean()
        loss_alpha = -(self.log_alpha * (logp + self.target_entropy).detach()).mean()
        self.updates += 1
        if self.updates % 2 == 0:
            self.soft_update()
        self.info.update(q=loss_q.item(), pi=loss_pi.detach().cpu().numpy(), alpha=self.alpha.item())
        return loss_q + loss_pi + loss_alpha


class DQN(nn.Module):
    def __init__(self, obs=4, actions=3, eps=0.1, dueling=True):
        super().__init__()
        self.body = mlp([obs, 8], out=nn.ReLU)
        self.v = nn.Linear(8, 1) if dueling else None
        self.a = nn.Linear(8, actions)
        self.eps, self.actions = eps, actions
        self.steps_done = 0

    def q(self, x):
        h = self.body(x)
        a = self.a(h)
        if self.v is None:
            return a
        return self.v(h) + a - a.mean(-1, keepdim=True)

    def forward(self, obs):
        eps = self.eps + 0.9 * np.exp(-self.steps_done / 100)
        self.steps_done += 1
        if np.random.rand() < eps:
            return torch.randint(self.actions, (obs.shape[0],))
        return self.q(obs).argmax(-1)


class TDLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = DQN()
        self.target = copy.deepcopy(self.online)
        self.target.eval()

    def forward(self, batch):
        batch = Transition(*batch)
        final = torch.tensor([n is None for n in batch.next_obs])
        nxt = torch.stack([n for n in batch.next_obs if n is not None])
        q = self.online.q(torch.stack(batch.obs)).gather(1, torch.tensor(batch.action)[:, None]).squeeze(1)
        value = torch.zeros(len(batch.obs))
        with torch.no_grad():
            best = self.online.q(nxt).argmax(1, keepdim=True)
            value[~final] = self.target.q(nxt).gather(1, best).squeeze(1)
        td = q - (torch.tensor(batch.reward) + 0.99 * value)
        return F.huber_loss(q, q.detach() - td.detach()), td.abs().tolist()


class PrioritySampler(nn.Module):
    def __init__(self, capacity=8, alpha=0.6, beta=0.4):
        super().__init__()
        self.priorities = np.zeros(capacity, dtype=np.float32)
        self.alpha, self.beta = alpha, beta
        self.filled = 0

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.priorities[i] = e + 1e-5

    def forward(self, td, n=2):
        err = td.abs().detach().numpy()
        self.update(range(len(err)), err)
        self.filled = max(self.filled, len(err))
        p = self.priorities[: self.filled] ** self.alpha
        p = p / p.sum()
        idx = np.random.choice(self.filled, n, p=p)
        weights = (self.filled * p[idx]) ** (-self.beta)
        return torch.from_numpy(idx), torch.as_tensor(weights / weights.max(), dtype=torch.float32)


class KLPenalty(nn.Module):
    def __init__(self, target=0.01):
        super().__init__()
        self.beta = 1.0
        self.target = target

    def forward(self, old_logits, logits):
        kl = kl_divergence(Categorical(logits=old_logits), Categorical(logits=logits)).mean()
        loss = self.beta * kl
        if kl < self.target / 1.5:
            self.beta = self.beta / 2
        elif kl > self.target * 1.5:
            self.beta = min(self.beta * 2, 10.0)
        return loss


class OUNoise:
    def __init__(self, size, theta=0.15, sigma=0.2):
        self.mu = np.zeros(size)
        self.theta, self.sigma = theta, sigma
        self.state = self.mu.copy()

    def __call__(self):
        self.state += self.theta * (self.mu - self.state) + self.sigma * np.random.randn(*self.state.shape)
        return self.state


class DDPG(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = mlp([4, 8, 2], out=nn.Tanh)
        self.noise = OUNoise(2)

    def forward(self, obs):
        action = self.pi(obs)
        if self.training:
            action = action + torch.from_numpy(self.noise()).float()
        return action.clip(-1, 1)


class Recurrent(nn.Module):
    """Clears the state of environments that were reset."""

    def __init__(self, obs=4, hidden=8):
        super().__init__()
        self.rnn = nn.GRU(obs, hidden)
        self.pi = nn.Linear(hidden, 2)

    def forward(self, x, h, masks):
        outs = []
        zeros = (masks[1:] == 0).any(-1).nonzero().squeeze().cpu()
        if zeros.dim() == 0:
            zeros = [zeros.item() + 1]
        else:
            zeros = (zeros + 1).numpy().tolist()
        zeros = [0] + zeros + [x.shape[0]]
        for a, b in zip(zeros[:-1], zeros[1:]):
            y, h = self.rnn(x[a:b], h * masks[a].view(1, -1, 1))
            outs.append(y)
        return self.pi(torch.cat(outs)), h
