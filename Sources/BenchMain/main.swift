import DeadzoneBench

DeadzoneBench.run()
