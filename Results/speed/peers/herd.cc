// The herd of peers.py on the scheduler of ns-3's core module, without its networks.
// usage: herd CLIENTS
#include <ns3/core-module.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace ns3;

static const Time delay = MilliSeconds(50), end = Seconds(180);
static Time acceptTime, nextAccept;
static Ptr<ExponentialRandomVariable> gap;
static unsigned long opened, answered, received;

struct Client {
    unsigned connection = 0;
    bool isOpen = false;
    EventId limit;

    void Connect() {
        unsigned attempt = ++connection;
        limit = Simulator::Schedule(Seconds(30), &Client::Connect, this);
        Simulator::Schedule(delay, &Client::ArriveAtServer, this, attempt);
    }
    void ArriveAtServer(unsigned attempt) {
        nextAccept = std::max(nextAccept, Simulator::Now()) + acceptTime;
        Simulator::Schedule(nextAccept - Simulator::Now() + delay, &Client::Accept, this, attempt);
    }
    void Accept(unsigned attempt) {
        if (attempt != connection) return;
        limit.Cancel();
        isOpen = true;
        opened++;
        Simulator::Schedule(Seconds(60), &Client::Ping, this, attempt);
    }
    void Ping(unsigned attempt) {
        if (!isOpen || attempt != connection) return;
        limit = Simulator::Schedule(Seconds(10), &Client::Connect, this);
        Simulator::Schedule(delay, &Client::AnswerPing, this, attempt);
    }
    void AnswerPing(unsigned attempt) { Simulator::Schedule(delay, &Client::Pong, this, attempt); }
    void Pong(unsigned attempt) {
        if (attempt != connection) return;
        limit.Cancel();
        answered++;
        Simulator::Schedule(Seconds(60), &Client::Ping, this, attempt);
    }
    void Send() {
        if (isOpen) Simulator::Schedule(delay, &Client::Receive, this);
        Simulator::Schedule(Seconds(gap->GetValue()), &Client::Send, this);
    }
    void Receive() { received++; }
    void Lose() {
        isOpen = false;
        limit.Cancel();
        Connect();
    }
};

int main(int, char **words) {
    int count = atoi(words[1]);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    acceptTime = Seconds(10.0 / count);
    gap = CreateObject<ExponentialRandomVariable>();
    gap->SetAttribute("Mean", DoubleValue(60));
    std::vector<Client> clients(count);
    for (auto &client : clients) {
        Simulator::Schedule(Seconds(0), &Client::Connect, &client);
        Simulator::Schedule(Seconds(gap->GetValue()), &Client::Send, &client);
        Simulator::Schedule(Seconds(60), &Client::Lose, &client);
    }
    Simulator::Stop(end);
    Simulator::Run();
    printf("%lu %lu %lu\n", opened, answered, received);
    Simulator::Destroy();
}
