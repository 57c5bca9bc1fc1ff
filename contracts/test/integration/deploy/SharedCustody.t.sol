// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployTest} from "./DeployTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";

/// @notice Tests accounts that are the custody of several LPs, because allowances, approvals and list entries belong to
/// an account.
contract SharedCustodyTest is DeployTest {
    bytes32 private constant USDX = "USDX";
    bytes32 private constant USDY = "USDY";
    bytes32 private constant TRSY = "TRSY";

    function test_Deploy_CustodySharedWithAnLpWithoutAutoLiquidity_AllowsTheReserveOfTheOther() public {
        DeployConfig memory config = _sharing();
        Deployment memory d = script.deploy(config, DEPLOYER);
        address custody = config.stablecoins[0].stablecoinCustody;
        address core = address(d.coreSwap);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, USDX), config.stablecoins[0].sweepAllowance);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, TRSY), type(uint256).max);
        assertEq(d.coreSwap.swapInputAllowances(custody, core, USDY), 0);
        assertEq(d.delegates[1].stablecoinCustodyAddress(), custody);
    }

    function test_Deploy_CustodySharedByTwoLpsWithAutoLiquidity_AllowsBothReserves() public {
        DeployConfig memory config = _sharing();
        config.stablecoins[1].autoLiquidity = true;
        config.stablecoins[1].sweepAllowance = 1_000e18;
        Deployment memory d = script.deploy(config, DEPLOYER);
        address custody = config.stablecoins[0].stablecoinCustody;
        assertEq(d.coreSwap.swapInputAllowances(custody, address(d.coreSwap), USDY), 1_000e18);
        assertEq(d.coreSwap.autoLiquidityStablecoinIDs(USDY), TRSY);
    }

    function test_Deploy_CustodySharedWithTheTreasuryLp_ServesBoth() public {
        DeployConfig memory config = _example();
        config.stablecoins[1].rwaCustody = config.treasury.lp.rwaCustody;
        config.stablecoins[1].stablecoinCustody = config.treasury.lp.stablecoinCustody;
        Deployment memory d = script.deploy(config, DEPLOYER);
        assertEq(d.delegates[1].stablecoinCustodyAddress(), config.treasury.lp.stablecoinCustody);
        assertEq(d.treasuryDelegate.stablecoinCustodyAddress(), config.treasury.lp.stablecoinCustody);
    }

    /// @dev Returns a configuration in which the LP of USDY, without auto-liquidity, has the same custody accounts as
    /// that of USDX, with auto-liquidity.
    function _sharing() private view returns (DeployConfig memory config) {
        config = _example();
        config.stablecoins[1].rwaCustody = config.stablecoins[0].rwaCustody;
        config.stablecoins[1].stablecoinCustody = config.stablecoins[0].stablecoinCustody;
    }
}
